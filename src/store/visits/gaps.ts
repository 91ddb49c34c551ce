import { z } from 'zod';
import { HOUR_MS } from '../../model/time.ts';
import { Metadata } from '../metadata.ts';
import { Rows } from '../sqlite/database.ts';

/** A time in which visits were due, but none began: Loopscout was offline, or did not run. */
const Gap = z.object({ startedAt: z.number(), endedAt: z.number() });
export type Gap = z.infer<typeof Gap>;

/** Shorter ones are not stored. */
const MIN_MS = HOUR_MS;
/** The oldest are dropped first. */
const MOST = 1_000;
const KEY = 'gaps';

export class Gaps extends Rows {
  readonly #metadata = new Metadata(this.database);
  readonly #last = this.database.prepare((db) => db.selectFrom('visits').select('at').orderBy('id', 'desc').limit(1));
  /** Start of the last visit that was recorded; null when there was none. */
  #lastAt: number | null | undefined;

  all(): readonly Gap[] {
    return this.#metadata.get(KEY, z.array(Gap)) ?? [];
  }

  /**
   * Stores the gap before a visit, if there is one. Runs inside the caller's transaction, before the visit is inserted.
   *
   * @param due since when the domain had been due.
   */
  add(at: number, due: number | null): void {
    if (this.#lastAt === undefined) this.#lastAt = this.#last.get({})?.at ?? null;
    if (this.#lastAt !== null && due !== null) {
      const startedAt = Math.max(this.#lastAt, due);
      if (at - startedAt >= MIN_MS) this.#metadata.set(KEY, [...this.all(), { startedAt, endedAt: at }].slice(-MOST));
    }
    this.#lastAt = Math.max(at, this.#lastAt ?? at);
  }
}
