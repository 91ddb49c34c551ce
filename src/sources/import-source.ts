import { setImmediate } from 'node:timers/promises';
import type { Domain } from '../model/domain/domain.ts';
import { createSeenDomains } from './seen-domains.ts';
import type { RefusedItem, Source, SourceContext, SourceEnd, SourceRefusal } from './source.ts';
import { SourceError } from './source-error.ts';

/** A domain as a source lists it. */
export interface Candidate {
  readonly domain: Domain;
  /** What the source says that it runs; null when it says nothing. */
  readonly software: string | null;
}

export interface ImportOptions {
  /** Called with the domains that were not met before in this reading, in order, some hundred at a time; the import waits for it. */
  readonly enter: (candidates: readonly Candidate[]) => void | Promise<void>;
  /** How many refusals to list; all are counted. */
  readonly maxListed: number;
  readonly context: SourceContext;
}

/** How a reading ended; `failed`: nothing of it could be read. */
export type SourceRunEnd = Omit<SourceEnd, 'outcome'> & { readonly outcome: SourceEnd['outcome'] | 'failed' };

/** What became of every line, record or entry of a source: `lines` = `blank` + `accepted` + `merged` + `refused`. */
export interface SourceRunResult extends SourceRunEnd {
  readonly lines: number;
  /** Empty, a comment or a header. */
  readonly blank: number;
  readonly accepted: number;
  /** A domain met earlier in this reading. */
  readonly merged: number;
  readonly refused: number;
  /** Only the reasons met. */
  readonly refusedByReason: Readonly<Partial<Record<SourceRefusal, number>>>;
  readonly refusals: readonly Omit<RefusedItem, 'kind'>[];
  /** Refusals counted but not listed. */
  readonly refusalsOmitted: number;
}

/** Entered in one transaction, on the thread of the crawl: a few milliseconds. */
const CHUNK = 250;
/** What came of a list that drips is entered after so long, to be visited while the rest is waited for. */
const LONGEST_HELD_MS = 1_000;

/**
 * Reads a source to its end, enters each domain once and accounts for every line. A bad line is never fatal, and that a source cannot be
 * read is how the reading ends, with the error; it is `partial` when the signal aborted.
 *
 * @throws what `enter` throws.
 */
export async function importSource(
  source: Source,
  { enter, maxListed, context }: ImportOptions,
): Promise<{ result: SourceRunResult; error: SourceError | null }> {
  const seen = createSeenDomains();
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
      // A long list comes in pieces that are in memory at once: visits go on between them, whatever becomes of the lines.
      if (count.lines % CHUNK === 0) await setImmediate();
      if (item.kind === 'blank') count.blank += 1;
      else if (item.kind === 'refused') {
        const { kind: _, ...refusal } = item;
        count.refused += 1;
        refusedByReason[item.reason] = (refusedByReason[item.reason] ?? 0) + 1;
        if (refusals.length < maxListed) refusals.push(refusal);
      } else if (seen.add(item.domain)) {
        count.accepted += 1;
        chunk.push({ domain: item.domain, software: item.software });
        if (chunk.length >= CHUNK || Math.abs(context.now() - enteredAt) >= LONGEST_HELD_MS) await enterChunk();
      } else count.merged += 1;
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

/** The end of a reading that told none. */
function endOf(error: SourceError | null, accepted: number): SourceRunEnd {
  const nothing = { etag: null, lastModified: null, requests: 0, bytes: 0 };
  if (error === null) return { outcome: 'partial', why: 'we were stopped', ...nothing };
  return { outcome: accepted === 0 ? 'failed' : 'partial', why: error.message, ...nothing };
}
