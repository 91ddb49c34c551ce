import { z } from 'zod';
import { createMetadataReader, createMetadataWriter } from '../metadata.ts';
import { bisectIds } from '../sqlite/bisect-ids.ts';
import { type Compiler, createCompiler } from '../sqlite/prepare.ts';
import type { Sqlite } from '../sqlite/sqlite.ts';

const KEY = 'retained-since';

/** From when on all is kept, in epoch milliseconds: nothing that began later was ever thrown away. */
const RetainedSince = z.object({ visits: z.number(), usage: z.number() });
export type RetainedSince = z.infer<typeof RetainedSince>;

const ALWAYS: RetainedSince = { visits: Number.MIN_SAFE_INTEGER, usage: Number.MIN_SAFE_INTEGER };

interface RetainedSinceStore {
  load(): RetainedSince;
  /** To be saved before anything is thrown away; what was thrown away once is gone for good. */
  save(since: RetainedSince): void;
}

export function createRetainedSinceStore(sqlite: Sqlite, db: Compiler): RetainedSinceStore {
  const noted = createMetadataReader(sqlite, db, KEY, RetainedSince);
  const keep = createMetadataWriter<RetainedSince>(sqlite, db, KEY);
  const load = (): RetainedSince => noted() ?? ALWAYS;
  return {
    load,
    save(since) {
      const before = load();
      keep({ visits: Math.max(before.visits, since.visits), usage: Math.max(before.usage, since.usage) });
    },
  };
}

/** A past moment that cannot be told; the message is one sentence that says which moments can. */
class AsOfError extends Error {
  override readonly name = 'AsOfError';
  readonly kind = 'setting';

  /** `problem` completes "Nothing can be told as of TIME: ...". */
  constructor(at: number, problem: string) {
    super(`Nothing can be told as of ${new Date(at).toISOString()}: ${problem}.`);
  }
}

/** A position in the log: the visits that began by a time and were recorded up to an id. */
export interface Cut {
  /** Epoch milliseconds. */
  at: number;
  /** The last recorded visit; 0 when there was none. */
  visitId: number;
}

/** The log up to a visit, even where the clock was set back. */
export const cutAfter = (visitId: number): Cut => ({ at: Number.POSITIVE_INFINITY, visitId });

export type LogOrder = 'time' | 'id';
export const NEWEST_FIRST: Record<LogOrder, string> = { time: 'at desc, id desc', id: 'id desc' };

const RECORDED_AT = 'at + recorded_ms';

/**
 * Finds the cut of a time by bisection: ids ascend in the order of recording, except where a clock was set back.
 *
 * @throws AsOfError before the first visit, or when visits of that time are no longer kept.
 */
export function findCut(sqlite: Sqlite, at: number): Cut {
  const retainedSince = createRetainedSinceStore(sqlite, createCompiler()).load();
  if (at < retainedSince.visits) {
    throw new AsOfError(at, `visits before ${new Date(retainedSince.visits).toISOString()} are no longer kept`);
  }
  const first = sqlite.prepare<[], number>(`select ${RECORDED_AT} from main.visits order by id limit 1`).pluck().get();
  if (first === undefined) throw new AsOfError(at, 'no visit was ever recorded');
  if (at < first) throw new AsOfError(at, `the first visit was recorded at ${new Date(first).toISOString()}`);
  const last = Number(sqlite.prepare('select max(id) from main.visits').pluck().get());
  const next = sqlite.prepare<[number, number], { id: number; isBy: 0 | 1 }>(
    `select id, ${RECORDED_AT} <= ? as isBy from main.visits where id >= ? order by id limit 1`,
  );
  const visitId = bisectIds(last, (id) => {
    const row = next.get(at, id);
    return row && { id: row.id, isBefore: row.isBy === 1 };
  });
  return { at, visitId };
}
