/** What the estimate needs to know of who lists whom; see {@link CaptureTally}. */
export interface CaptureCounts {
  /** Instances that at least one source lists. */
  readonly captured: number;
  /** Instances that at least two sources list. */
  readonly recaptured: number;
  /** For each source, how many instances it lists. */
  readonly all: readonly number[];
  /** For each source, how many instances it alone lists. */
  readonly alone: readonly number[];
  /** Instances that exactly two sources list. */
  readonly twice: number;
  /** Over all pairs of sources, how many instances both list. */
  readonly shared: number;
}

/** Instances that the same sources list. */
export interface Combination {
  /** Ids, each once. */
  readonly sources: readonly number[];
  readonly members: number;
}

/** Adds up, one instance at a time, which sources list it. Holds a number for each combination of sources, and nothing of any instance. */
export class CaptureTally {
  /** All instances added. */
  known = 0;
  /** How many are listed by none, one, two, and more sources. */
  readonly listedBy = { none: 0, one: 0, two: 0, more: 0 };
  readonly #combinations = new Map<string, { sources: readonly number[]; members: number }>();

  /** @param sources ids of the sources that list an instance, each once. */
  add(sources: readonly number[], members = 1): void {
    this.known += members;
    this.listedBy[wordOf(sources.length)] += members;
    const sorted = sources.toSorted((one, other) => one - other);
    const key = sorted.join();
    const before = this.#combinations.get(key);
    if (before === undefined) this.#combinations.set(key, { sources: sorted, members });
    else before.members += members;
  }

  combinations(): Iterable<Combination> {
    return this.#combinations.values();
  }

  /** Sources that list at least one instance, ascending. */
  sources(): number[] {
    const ids = new Set<number>();
    for (const { sources } of this.combinations()) for (const id of sources) ids.add(id);
    return [...ids].sort((one, other) => one - other);
  }

  /** @param left is counted as if it did not exist. */
  counts(left: number | null = null): CaptureCounts {
    const all = new Map(
      this.sources()
        .filter((id) => id !== left)
        .map((id): [number, number] => [id, 0]),
    );
    const alone = new Map(all);
    const sum = { captured: 0, recaptured: 0, twice: 0, shared: 0 };
    for (const { sources, members } of this.combinations()) {
      const listing = left === null || !sources.includes(left) ? sources : sources.filter((id) => id !== left);
      const [first] = listing;
      if (first === undefined) continue;
      for (const id of listing) all.set(id, (all.get(id) ?? 0) + members);
      sum.captured += members;
      sum.shared += (members * listing.length * (listing.length - 1)) / 2;
      if (listing.length === 1) alone.set(first, (alone.get(first) ?? 0) + members);
      else sum.recaptured += members;
      if (listing.length === 2) sum.twice += members;
    }
    return { ...sum, all: [...all.values()], alone: [...alone.values()] };
  }

  /** As if sources were others: those that become one source list what any of them does. */
  mapped(become: (source: number) => number): CaptureTally {
    const other = new CaptureTally();
    for (const { sources, members } of this.combinations()) {
      other.add([...new Set(sources.map(become))], members);
    }
    return other;
  }
}

function wordOf(sources: number): keyof CaptureTally['listedBy'] {
  return (['none', 'one', 'two'] as const)[sources] ?? 'more';
}
