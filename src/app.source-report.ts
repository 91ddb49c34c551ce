import type { SourceReading } from './sources/import-source.ts';
import type { Source } from './sources/source.ts';
import type { EntryCounts } from './store/candidate.ts';

/** What one reading of a source came to; `under-way`: it was not read, since another process reads it. */
export interface SourceReport extends Omit<SourceReading, 'outcome' | 'retryAfterMs'>, EntryCounts {
  readonly key: string;
  readonly type: string;
  readonly label: string;
  readonly outcome: SourceReading['outcome'] | 'under-way';
  /** How many domains it listed when it was last read in full, if that is over twice as many; else null. What it brought then stays. */
  readonly shrunkFrom: number | null;
}

/** Why a source was not asked, or not to its end. */
export const WHY_NOT_READ = {
  offline: 'we are offline, so it was not asked',
  'under-way': 'another process is reading it, so it was not asked',
  'taken-over': 'it went on for too long, and another process took it over',
} as const;

/** What is told of a source that was not read; no reading of it is recorded. */
export function notRead(
  { key, type, label }: Pick<Source, 'key' | 'type' | 'label'>,
  because: keyof typeof WHY_NOT_READ,
): SourceReport {
  const outcome = because === 'offline' ? 'failed' : 'under-way';
  return {
    ...{ key, type, label, outcome, why: WHY_NOT_READ[because], etag: null, lastModified: null },
    ...{ requests: 0, bytes: 0, lines: 0, blank: 0, accepted: 0, merged: 0, refused: 0, refusedByReason: {} },
    ...{ refusals: [], refusalsOmitted: 0, entered: 0, known: 0, capped: 0, crowded: 0, optedOut: 0, shrunkFrom: null },
  };
}
