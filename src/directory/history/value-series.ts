/** The value of an instance in a series; null when the instance reports none or is not listed. */
export type Value = string | number | boolean | null;

/** Instances per value. */
export type Counts = ReadonlyMap<NonNullable<Value>, number>;

/** The number of instances per value, day by day. Stores only changes. */
export class ValueSeries {
  readonly #changes = new Map<number, Map<NonNullable<Value>, number>>();
  readonly #current = new Map<NonNullable<Value>, number>();

  /** Changes the value of one instance from a day on. */
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

  /** The counts by value on a day. Every day on which a value changes must be requested, once and in order. */
  advanceTo(day: number): Counts {
    for (const [value, change] of this.#changes.get(day) ?? []) {
      const count = (this.#current.get(value) ?? 0) + change;
      if (count === 0) this.#current.delete(value);
      else this.#current.set(value, count);
    }
    return this.#current;
  }
}

/** A count of an instance; null when the instance reports none or is not listed. */
export type Summand = number | 'implausible' | null;

interface Sum {
  total: number;
  reporting: number;
  implausible: number;
}

/** The sum of a count over all instances, day by day. */
export class SumSeries {
  readonly #changes = new Map<number, Sum>();
  readonly #current: Sum = { total: 0, reporting: 0, implausible: 0 };

  /** Changes the count of one instance from a day on. */
  move(day: number, from: Summand, to: Summand): void {
    if (from === to) return;
    let change = this.#changes.get(day);
    if (change === undefined) {
      change = { total: 0, reporting: 0, implausible: 0 };
      this.#changes.set(day, change);
    }
    add(change, to, 1);
    add(change, from, -1);
  }

  /** The sum on a day. Every day on which a count changes must be requested, once and in order. */
  advanceTo(day: number): { total: number | null; reporting: number; implausible: number } {
    const sum = this.#current;
    const change = this.#changes.get(day);
    sum.total += change?.total ?? 0;
    sum.reporting += change?.reporting ?? 0;
    sum.implausible += change?.implausible ?? 0;
    return { ...sum, total: sum.reporting === 0 ? null : sum.total };
  }
}

function add(sum: Sum, summand: Summand, sign: 1 | -1): void {
  if (summand === 'implausible') sum.implausible += sign;
  else if (summand !== null) {
    sum.total += sign * summand;
    sum.reporting += sign;
  }
}
