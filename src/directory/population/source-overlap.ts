import type { Population } from '../schema/population.ts';

/** The listed instances of one source. */
export interface SourceShare {
  readonly listed: number;
  /** The part of `listed` that no other source lists. */
  readonly onlyHere: number;
}

/** Counts how many instances each source, and each pair of sources, lists. */
export class SourceOverlap {
  /** Number of instances added. */
  known = 0;
  /** Instances by the number of sources that list them. */
  readonly listedBy = { none: 0, one: 0, two: 0, more: 0 };
  /** Instances per source; sources without any are missing. */
  readonly #listed = new Map<string, number>();
  readonly #onlyHere = new Map<string, number>();
  /** Instances per pair of sources, by the names of both in ascending order; pairs without any are missing. */
  readonly #both = new Map<string, Map<string, number>>();

  /** @param sources names of the sources that list an instance, each once. */
  add(sources: readonly string[]): void {
    this.known += 1;
    this.listedBy[(['none', 'one', 'two'] as const)[sources.length] ?? 'more'] += 1;
    const [only, ...others] = sources;
    if (only !== undefined && others.length === 0) this.#onlyHere.set(only, (this.#onlyHere.get(only) ?? 0) + 1);
    const sorted = sources.toSorted();
    for (const [index, name] of sorted.entries()) {
      this.#listed.set(name, (this.#listed.get(name) ?? 0) + 1);
      const shared = this.#both.get(name) ?? new Map<string, number>();
      this.#both.set(name, shared);
      for (const other of sorted.slice(index + 1)) shared.set(other, (shared.get(other) ?? 0) + 1);
    }
  }

  /** Number of sources that list at least one instance. */
  get sources(): number {
    return this.#listed.size;
  }

  /** Instances of all sources; one that several sources list counts for each. */
  get entries(): number {
    return [...this.#listed.values()].reduce((sum, listed) => sum + listed, 0);
  }

  /** By name, the share of each source that lists at least one instance. */
  shares(): Map<string, SourceShare> {
    return new Map(
      [...this.#listed].map(([name, listed]) => [name, { listed, onlyHere: this.#onlyHere.get(name) ?? 0 }]),
    );
  }

  /** Every pair of sources that list at least one instance each, sorted by name. */
  pairs(): Population['overlap'] {
    const sources = [...this.#listed].sort(([one], [other]) => (one < other ? -1 : 1));
    return sources.flatMap(([first, firstLists], index) =>
      sources.slice(index + 1).map(([second, secondLists]) => {
        const both = this.#both.get(first)?.get(second) ?? 0;
        return { first, second, firstLists, secondLists, both };
      }),
    );
  }
}
