/** A value that an instance can have in a series; null: it reports none. */
export type Value = string | number | boolean | null;

/**
 * How many instances have which value, day after day. Only what changes is kept: an instance is told once for each change of its
 * value, however many days it lasts.
 */
export class ValueSeries {
  readonly #changes = new Map<number, Map<NonNullable<Value>, number>>();
  readonly #now = new Map<NonNullable<Value>, number>();

  /** From a day on, one instance has another value; null: none, or it is not listed. */
  move(day: number, from: Value, to: Value): void {
    if (from === to) return;
    let changes = this.#changes.get(day);
    if (changes === undefined) {
      changes = new Map();
      this.#changes.set(day, changes);
    }
    if (from !== null) changes.set(from, (changes.get(from) ?? 0) - 1);
    if (to !== null) changes.set(to, (changes.get(to) ?? 0) + 1);
  }

  /** The counts by value on a day; days are to be asked for in order. */
  on(day: number): ReadonlyMap<NonNullable<Value>, number> {
    for (const [value, change] of this.#changes.get(day) ?? []) {
      const count = (this.#now.get(value) ?? 0) + change;
      if (count === 0) this.#now.delete(value);
      else this.#now.set(value, count);
    }
    return this.#now;
  }
}

/** A count added up over instances, day after day. In whole numbers without limit, since a server can claim any. */
export class SumSeries {
  readonly #changes = new Map<number, { total: bigint; reporting: number }>();
  #total = 0n;
  #reporting = 0;

  move(day: number, from: number | null, to: number | null): void {
    if (from === to) return;
    let change = this.#changes.get(day);
    if (change === undefined) {
      change = { total: 0n, reporting: 0 };
      this.#changes.set(day, change);
    }
    change.total += BigInt(to ?? 0) - BigInt(from ?? 0);
    change.reporting += Number(to !== null) - Number(from !== null);
  }

  /** The sum on a day; days are to be asked for in order. */
  on(day: number): { total: number | null; reporting: number } {
    const change = this.#changes.get(day);
    this.#total += change?.total ?? 0n;
    this.#reporting += change?.reporting ?? 0;
    return { total: this.#reporting === 0 ? null : Number(this.#total), reporting: this.#reporting };
  }
}
