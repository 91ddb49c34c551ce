import type { Domain } from '../domain/domain.ts';
import type { RefusedItem, Source, SourceRefusal } from './source.ts';

export interface ImportOptions {
  /** The domains met in this run so far, in any source; the import adds its own. */
  readonly seen: Set<Domain>;
  /** Called once for each domain that was not in `seen`, in order; the import waits for it. */
  readonly enter: (domain: Domain) => void | Promise<void>;
  /** How many refusals to list; all are counted. */
  readonly maxListed: number;
  readonly signal?: AbortSignal;
}

/** What became of every line, record or entry of a source: `lines` = `blank` + `accepted` + `merged` + `refused`. */
export interface SourceReport {
  readonly type: string;
  readonly label: string;
  readonly lines: number;
  /** Empty, a comment or a header. */
  readonly blank: number;
  readonly accepted: number;
  /** A domain met earlier in this run, in this source or another. */
  readonly merged: number;
  readonly refused: number;
  /** Only the reasons met. */
  readonly refusedByReason: Readonly<Partial<Record<SourceRefusal, number>>>;
  readonly refusals: readonly Omit<RefusedItem, 'kind'>[];
  /** Refusals counted but not listed. */
  readonly refusalsOmitted: number;
}

/**
 * Reads a source to its end, enters each new domain and accounts for every line. A bad line is never fatal.
 * @throws SourceError when the source as a whole cannot be read; what was entered before stays entered
 */
export async function importSource(source: Source, options: ImportOptions): Promise<SourceReport> {
  const { seen, enter, maxListed, signal } = options;
  const refusedByReason: Partial<Record<SourceRefusal, number>> = {};
  const refusals: Omit<RefusedItem, 'kind'>[] = [];
  const count = { lines: 0, blank: 0, accepted: 0, merged: 0, refused: 0 };
  for await (const item of source.read(signal)) {
    signal?.throwIfAborted();
    count.lines += 1;
    if (item.kind === 'blank') {
      count.blank += 1;
    } else if (item.kind === 'refused') {
      const { kind: _, ...refusal } = item;
      count.refused += 1;
      refusedByReason[item.reason] = (refusedByReason[item.reason] ?? 0) + 1;
      if (refusals.length < maxListed) refusals.push(refusal);
    } else if (seen.has(item.domain)) {
      count.merged += 1;
    } else {
      count.accepted += 1;
      seen.add(item.domain);
      await enter(item.domain);
    }
  }
  return {
    type: source.type,
    label: source.label,
    ...count,
    refusedByReason,
    refusals,
    refusalsOmitted: count.refused - refusals.length,
  };
}
