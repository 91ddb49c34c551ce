import type { Visit } from '../model/visit.ts';

/** Counts by name, largest first. */
export type Tally = { name: string; count: number }[];

/** Counts of the completed visits of a pass. */
export interface CrawlCounts {
  visited: number;
  byVerdict: Tally;
  byReason: Tally;
  software: Tally;
  /** Versions of the Loops servers visited. */
  versions: Tally;
}

/** Counts the completed visits of a pass. */
export class CrawlTally {
  #visited = 0;
  readonly #byVerdict = new Map<string, number>();
  readonly #byReason = new Map<string, number>();
  readonly #software = new Map<string, number>();
  readonly #versions = new Map<string, number>();

  add({ verdict, reason, software, version }: Visit): void {
    this.#visited++;
    increment(this.#byVerdict, verdict);
    increment(this.#byReason, `${verdict}: ${reason}`);
    if (software !== null) increment(this.#software, software);
    if (verdict === 'loops') increment(this.#versions, version ?? 'unknown');
  }

  result(): CrawlCounts {
    return {
      visited: this.#visited,
      byVerdict: sorted(this.#byVerdict),
      byReason: sorted(this.#byReason),
      software: sorted(this.#software),
      versions: sorted(this.#versions),
    };
  }
}

function increment(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

function sorted(counts: ReadonlyMap<string, number>): Tally {
  return [...counts]
    .map(([name, count]) => ({ name, count }))
    .sort((a, b) => b.count - a.count || (a.name < b.name ? -1 : 1));
}
