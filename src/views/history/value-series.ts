/** The value of an instance in a series; null when it reports none. */
export type Value = string | number | boolean | null;

/** The number of instances per value, day by day. Stores only changes. */
export class ValueSeries {
  readonly #changes = new Map<number, Map<NonNullable<Value>, number>>();
  readonly #now = new Map<NonNullable<Value>, number>();

  /** Changes the value of one instance from a day on; null when it has none or is not listed. */
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

  /** The counts by value on a day. Days must be requested in order. */
  on(day: number): ReadonlyMap<NonNullable<Value>, number> {
    for (const [value, change] of this.#changes.get(day) ?? []) {
      const count = (this.#now.get(value) ?? 0) + change;
      if (count === 0) this.#now.delete(value);
      else this.#now.set(value, count);
    }
    return this.#now;
  }
}

/** The sum of a count over all instances, day by day. Uses bigint, since a server can report any number. */
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

  /** The sum on a day. Days must be requested in order. */
  on(day: number): { total: number | null; reporting: number } {
    const change = this.#changes.get(day);
    this.#total += change?.total ?? 0n;
    this.#reporting += change?.reporting ?? 0;
    return { total: this.#reporting === 0 ? null : Number(this.#total), reporting: this.#reporting };
  }
}
