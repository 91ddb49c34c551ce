import { setImmediate as yieldToEvents } from 'node:timers/promises';
import { PARSERS, type Parsers } from '../identify/documents.ts';
import type { Conclusion } from '../identify/resolve-verdict.ts';
import type { Cadence } from '../model/cadence.ts';
import type { Domain } from '../model/domain/domain.ts';
import { createReplayRules } from '../schedule/after-replay.ts';
import { retryWhileLocked } from '../store/sqlite/retry-while-locked.ts';
import type { Correction, Store } from '../store/store.ts';
import type { StoredVisit } from '../store/store-reader.ts';
import { differencesOf, type ReplayDifference } from './difference.ts';
import { createReparse, type DamagedDocument } from './reparse.ts';

export type { ReplayDifference } from './difference.ts';

export interface ReplayParts {
  store: Pick<Store, 'reader' | 'correct'>;
  /** Compared exactly with the software name of a server. */
  softwareId: string;
  allowSuffixes: readonly string[];
  policy: Cadence;
  /** Default: the current parsers. */
  parsers?: Parsers;
  now: () => number;
  /** Monotonic, in milliseconds. */
  clock: () => number;
  random: () => number;
}

export interface ReplayOptions {
  /** Records the differences, with the cause `replay`. */
  apply: boolean;
  /** Ends the replay between two domains; recorded corrections stay. */
  signal: AbortSignal;
  /** Called with each difference, domain by domain, oldest visit first; a returned promise is awaited. */
  onDifference: (difference: ReplayDifference) => void | Promise<void>;
}

interface VisitRef {
  domain: Domain;
  visitId: number;
  /** Start of the visit, milliseconds since the epoch. */
  at: number;
}

/** The result of a replay. Lists hold the first {@link MAX_LISTED} entries; counts are complete. */
export interface ReplayReport {
  end: 'done' | 'stopped';
  applied: boolean;
  /** Visits with stored documents that the replay reached. */
  visits: number;
  changedVisits: number;
  differenceCount: number;
  byField: Record<string, number>;
  /** Today's parsers would request a different URL, so the result is unknown. */
  wouldAskElsewhere: { count: number; visits: VisitRef[] };
  damaged: { count: number; visits: (VisitRef & DamagedDocument)[] };
  /** Visits that keep their result because a document named an opted-out host and is not stored. */
  withheld: number;
  /** Visits that were not corrected, because their domains are being visited or have opted out. */
  uncorrected: number;
}

const MAX_LISTED = 10_000;
/** How long the replay runs before it yields to the event loop; it yields only between two visits. */
const SLICE_MS = 10;

/**
 * Parses the stored documents again, domain by domain, and reports what differs from the recorded results; with `apply`, corrects them. No
 * read stays open during a write, because the write-ahead log would grow without limit. After `apply`, a second replay finds differences
 * only in visits that could not be corrected.
 *
 * @throws errors of the store and of `onDifference`.
 */
export async function replay(parts: ReplayParts, options: ReplayOptions): Promise<ReplayReport> {
  const { store, softwareId, allowSuffixes, policy, parsers = PARSERS, now, clock, random } = parts;
  const { apply, signal, onDifference } = options;
  const report: ReplayReport = {
    end: 'done',
    applied: apply,
    visits: 0,
    changedVisits: 0,
    differenceCount: 0,
    byField: {},
    wouldAskElsewhere: { count: 0, visits: [] },
    damaged: { count: 0, visits: [] },
    withheld: 0,
    uncorrected: 0,
  };
  using reader = store.reader();
  const reparse = createReparse(reader, { softwareId, allowSuffixes, parsers });
  const rules = createReplayRules({ policy, now, random });

  /** Counts a visit in the report. Returns its correction; null when nothing changes or the result is unknown. */
  function replayVisit(visit: StoredVisit): { correction: Correction; differences: ReplayDifference[] } | null {
    const ref = { domain: visit.domain, visitId: visit.id, at: visit.at };
    report.visits++;
    const result = reparse(visit);
    if (result.kind === 'damaged')
      addTo(report.damaged, { ...ref, document: result.document, problem: result.problem });
    if (result.kind === 'needs-another-request') addTo(report.wouldAskElsewhere, ref);
    if (result.kind === 'withheld') report.withheld++;
    if (result.kind !== 'concluded') return null;
    const corrected = correctedResult(result.conclusion, visit);
    const differences = differencesOf(visit, corrected).map((difference) => ({ ...ref, ...difference }));
    if (differences.length === 0) return null;
    const replaced = Object.fromEntries(differences.map(({ field, from }) => [field, from]));
    return { correction: { visitId: visit.id, visit: corrected, replaced }, differences };
  }

  let sliceStartedAt = clock();
  const yieldIfDue = async () => {
    if (clock() - sliceStartedAt < SLICE_MS) return;
    await yieldToEvents();
    sliceStartedAt = clock();
  };
  for (let next = reader.nextDomainWithDocuments(0); next !== null; next = reader.nextDomainWithDocuments(next.id)) {
    if (signal.aborted) {
      report.end = 'stopped';
      break;
    }
    const corrections: Correction[] = [];
    for (const visit of reader.visitsWithDocuments(next)) {
      const changed = replayVisit(visit);
      await yieldIfDue();
      if (changed === null) continue;
      corrections.push(changed.correction);
      for (const difference of changed.differences) {
        report.differenceCount++;
        report.byField[difference.field] = (report.byField[difference.field] ?? 0) + 1;
        await onDifference(difference);
      }
    }
    report.changedVisits += corrections.length;
    if (!apply || corrections.length === 0) continue;
    const { domain } = next;
    const correct = () => store.correct(domain, corrections, now(), rules);
    if (!(await retryWhileLocked(correct, { signal }))) report.uncorrected += corrections.length;
  }
  return report;
}

/**
 * The result to store. If NodeInfo identified the host, config may have redirected to the canonical host. Only the steps record that
 * redirect, so a visit stored without steps keeps its canonical host.
 */
function correctedResult({ decision, canonicalHost }: Conclusion, visit: StoredVisit): Correction['visit'] {
  const isRedirectUnknown = decision.verdict === 'loops' && decision.via === 'nodeinfo' && visit.steps === null;
  return { ...decision, canonicalHost: isRedirectUnknown ? visit.canonicalHost : canonicalHost };
}

function addTo<T>(list: { count: number; visits: T[] }, visit: T): void {
  list.count++;
  if (list.visits.length < MAX_LISTED) list.visits.push(visit);
}
