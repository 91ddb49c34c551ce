import { setImmediate } from 'node:timers/promises';
import type { Candidate, Domain } from '../model/domain/domain.ts';
import {
  type RefusedItem,
  type Source,
  type SourceContext,
  type SourceEnd,
  SourceError,
  type SourceRefusal,
} from './source.ts';

export interface ImportOptions {
  /** Called with the domains of the list, each once and in order, at most 250 per call; the import waits for it. */
  readonly enter: (candidates: readonly Candidate[]) => void | Promise<void>;
  /** Refusals beyond this are only counted. */
  readonly maxReportedRefusals: number;
  readonly context: SourceContext;
}

/** How a run ended; `failed`, `denied`: before its first domain, the latter because the server refuses access. */
export type SourceRunEnd = Omit<SourceEnd, 'outcome'> & {
  readonly outcome: SourceEnd['outcome'] | 'failed' | 'denied';
};

/** Totals of a run: `lines` = `blank` + `accepted` + `merged` + `refused`. */
export interface SourceRunResult extends SourceRunEnd {
  readonly lines: number;
  readonly blank: number;
  readonly accepted: number;
  /** Duplicates of a domain from earlier in the run. */
  readonly merged: number;
  readonly refused: number;
  /** Only reasons that occurred. */
  readonly refusedByReason: Readonly<Partial<Record<SourceRefusal, number>>>;
  readonly refusals: readonly Omit<RefusedItem, 'kind'>[];
  /** Refusals counted but not listed. */
  readonly refusalsOmitted: number;
}

/** Domains per transaction, which takes a few milliseconds on the crawl's thread. */
const CHUNK = 250;
/** This long after the previous chunk, a chunk is entered with its next domain, even if it is not full: a slow list need not fill it. */
const MAX_CHUNK_AGE_MS = 1_000;

/**
 * Runs a source, enters each domain once and counts every line. A bad line is never fatal. An unreadable source ends the run with the
 * error; an aborted signal ends it as `partial`.
 *
 * @throws whatever `enter` throws.
 */
export async function importSource(
  source: Source,
  { enter, maxReportedRefusals, context }: ImportOptions,
): Promise<{ result: SourceRunResult; error: SourceError | null }> {
  const seen = new Set<Domain>();
  const refusedByReason: Partial<Record<SourceRefusal, number>> = {};
  const refusals: Omit<RefusedItem, 'kind'>[] = [];
  const count = { lines: 0, blank: 0, accepted: 0, merged: 0, refused: 0 };
  let chunk: Candidate[] = [];
  let enteredAt = context.now();
  let end: SourceEnd | null = null;

  async function enterChunk(): Promise<void> {
    const candidates = chunk;
    chunk = [];
    enteredAt = context.now();
    if (candidates.length > 0) await enter(candidates);
  }

  async function* items() {
    end = yield* source.read(context);
  }

  async function readAll(): Promise<void> {
    for await (const item of items()) {
      if (context.signal.aborted) return;
      count.lines += 1;
      // Yields to the event loop, because many lines may arrive at once, and are then parsed without waiting for I/O.
      if (count.lines % CHUNK === 0) await setImmediate();
      if (item.kind === 'blank') count.blank += 1;
      else if (item.kind === 'refused') {
        const { kind: _, ...refusal } = item;
        count.refused += 1;
        refusedByReason[item.reason] = (refusedByReason[item.reason] ?? 0) + 1;
        if (refusals.length < maxReportedRefusals) refusals.push(refusal);
      } else if (seen.has(item.domain)) count.merged += 1;
      else {
        seen.add(item.domain);
        count.accepted += 1;
        chunk.push({ domain: item.domain, software: item.software });
        if (chunk.length >= CHUNK || Math.abs(context.now() - enteredAt) >= MAX_CHUNK_AGE_MS) await enterChunk();
      }
    }
  }

  let error: SourceError | null = null;
  try {
    await readAll();
  } catch (thrown) {
    if (thrown instanceof SourceError) error = thrown;
    else if (!context.signal.aborted) throw thrown;
  }
  await enterChunk();
  const refusalsOmitted = count.refused - refusals.length;
  return {
    result: { ...(end ?? endOf(error, count.accepted)), ...count, refusedByReason, refusals, refusalsOmitted },
    error,
  };
}

/** The end of a run whose source did not return one. */
function endOf(error: SourceError | null, accepted: number): SourceRunEnd {
  const nothing = { etag: null, lastModified: null, requests: 0, bytes: 0 };
  if (error === null) return { outcome: 'partial', why: 'the run was stopped', ...nothing };
  const failed = error.isDenied ? 'denied' : 'failed';
  return { outcome: accepted === 0 ? failed : 'partial', why: error.message, ...nothing };
}
