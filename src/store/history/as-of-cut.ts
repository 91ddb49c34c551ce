import { z } from 'zod';
import { createMetadataReader, createMetadataWriter } from '../metadata.ts';
import { bisectIds } from '../sqlite/bisect-ids.ts';
import { type Compiler, createCompiler } from '../sqlite/prepare.ts';
import type { Sqlite } from '../sqlite/sqlite.ts';

const KEY = 'retained-since';

/** The times after which nothing has been deleted, in epoch milliseconds. */
const RetainedSince = z.object({ visits: z.number(), usage: z.number() });
export type RetainedSince = z.infer<typeof RetainedSince>;

const NOTHING_DELETED: RetainedSince = { visits: Number.MIN_SAFE_INTEGER, usage: Number.MIN_SAFE_INTEGER };

interface RetainedSinceStore {
  load(): RetainedSince;
  /** Call before deleting anything. The stored times never move back. */
  save(since: RetainedSince): void;
}

export function createRetainedSinceStore(sqlite: Sqlite, db: Compiler): RetainedSinceStore {
  const read = createMetadataReader(sqlite, db, KEY, RetainedSince);
  const write = createMetadataWriter<RetainedSince>(sqlite, db, KEY);
  const load = (): RetainedSince => read() ?? NOTHING_DELETED;
  return {
    load,
    save(since) {
      const before = load();
      write({ visits: Math.max(before.visits, since.visits), usage: Math.max(before.usage, since.usage) });
    },
  };
}

/** A past time that cannot be reconstructed; the message gives the earliest possible time. */
class AsOfError extends Error {
  override readonly name = 'AsOfError';
  readonly kind = 'setting';

  /** `problem` completes "The state at TIME is not available: ...". */
  constructor(at: number, problem: string) {
    super(`The state at ${new Date(at).toISOString()} is not available: ${problem}.`);
  }
}

/** A position in the log: all visits that began up to a time and have ids up to `visitId`. */
export interface Cut {
  /** Epoch milliseconds. */
  at: number;
  /** The last recorded visit; 0 when there was none. */
  visitId: number;
}

export type LogOrder = 'time' | 'id';
export const NEWEST_FIRST: Record<LogOrder, string> = { time: 'at desc, id desc', id: 'id desc' };

const RECORDED_AT = 'at + recorded_ms';

/**
 * Finds the cut at a time by bisection: the times of recording ascend with the ids, except where a clock was set back.
 *
 * @throws AsOfError before the first visit, or when visits of that time have been deleted.
 */
export function findCut(sqlite: Sqlite, at: number): Cut {
  const retainedSince = createRetainedSinceStore(sqlite, createCompiler()).load();
  if (at < retainedSince.visits) {
    throw new AsOfError(
      at,
      `visits before ${new Date(retainedSince.visits).toISOString()} have been deleted; name a later time`,
    );
  }
  const first = sqlite.prepare<[], number>(`select ${RECORDED_AT} from main.visits order by id limit 1`).pluck().get();
  if (first === undefined) throw new AsOfError(at, 'no visit was ever recorded');
  if (at < first)
    throw new AsOfError(at, `the first visit was recorded at ${new Date(first).toISOString()}; name a later time`);
  const last = Number(sqlite.prepare('select max(id) from main.visits').pluck().get());
  const next = sqlite.prepare<[number, number], { id: number; isIncluded: 0 | 1 }>(
    `select id, ${RECORDED_AT} <= ? as isIncluded from main.visits where id >= ? order by id limit 1`,
  );
  const visitId = bisectIds(last, (id) => {
    const row = next.get(at, id);
    return row && { id: row.id, isBefore: row.isIncluded === 1 };
  });
  return { at, visitId };
}
