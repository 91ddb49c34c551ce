/** What the estimate needs to know of who lists whom; see {@link CaptureTally}. */
export interface CaptureCounts {
  /** Instances that at least one source lists. */
  readonly captured: number;
  /** Instances that at least two sources list. */
  readonly recaptured: number;
  /** Over all instances, how many sources list each. */
  readonly listings: number;
  /** For each source, how many instances it alone lists. */
  readonly alone: readonly number[];
  /** Instances that exactly two sources list. */
  readonly twice: number;
}

/**
 * Adds up, one instance at a time, which sources list it. Holds numbers for each source and for each pair of sources with anything in
 * common, and nothing of any instance.
 */
export class CaptureTally {
  /** All instances added. */
  known = 0;
  /** How many are listed by none, one, two, and more sources. */
  readonly listedBy = { none: 0, one: 0, two: 0, more: 0 };
  #listings = 0;
  /** For each source: instances that it lists, alone, with one other, and with two others. */
  readonly #sources = new Map<number, { all: number; alone: number; withOne: Map<number, number>; withTwo: number }>();

  /** @param sources ids of the sources that list an instance, each once. */
  add(sources: readonly number[]): void {
    this.known += 1;
    this.listedBy[wordOf(sources.length)] += 1;
    this.#listings += sources.length;
    for (const id of sources) {
      const source = this.#source(id);
      source.all += 1;
      if (sources.length === 1) source.alone += 1;
      if (sources.length === 3) source.withTwo += 1;
      if (sources.length !== 2) continue;
      for (const other of sources) {
        if (other !== id) source.withOne.set(other, (source.withOne.get(other) ?? 0) + 1);
      }
    }
  }

  /** Sources that list at least one instance, ascending. */
  sources(): number[] {
    return [...this.#sources.keys()].sort((one, other) => one - other);
  }

  counts(): CaptureCounts {
    const { one, two, more } = this.listedBy;
    return {
      captured: one + two + more,
      recaptured: two + more,
      listings: this.#listings,
      alone: this.sources().map((id) => this.#source(id).alone),
      twice: two,
    };
  }

  /** As if a source did not exist: who is listed by it and one other is then listed by one. */
  countsWithout(left: number): CaptureCounts {
    const { captured, recaptured, listings, twice } = this.counts();
    const { all, alone, withOne, withTwo } = this.#source(left);
    const withOneOther = sumOf(withOne.values());
    return {
      captured: captured - alone,
      recaptured: recaptured - withOneOther,
      listings: listings - all,
      alone: this.sources()
        .filter((id) => id !== left)
        .map((id) => this.#source(id).alone + (withOne.get(id) ?? 0)),
      twice: twice - withOneOther + withTwo,
    };
  }

  #source(id: number) {
    const source = this.#sources.get(id) ?? { all: 0, alone: 0, withOne: new Map(), withTwo: 0 };
    this.#sources.set(id, source);
    return source;
  }
}

function wordOf(sources: number): keyof CaptureTally['listedBy'] {
  return (['none', 'one', 'two'] as const)[sources] ?? 'more';
}

function sumOf(values: Iterable<number>): number {
  let sum = 0;
  for (const value of values) sum += value;
  return sum;
}
