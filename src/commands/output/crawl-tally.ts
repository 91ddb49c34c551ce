import type { Visit } from '../../app/app.ts';
import { distinctName, wrapLines } from '../../report/text-blocks.ts';

/** Counts by name, largest first. */
export type Tally = { name: string; count: number }[];

/** Counts of the completed visits of a pass. */
export interface CrawlTally {
  visited: number;
  byVerdict: Tally;
  byReason: Tally;
  software: Tally;
  /** Versions of the Loops servers visited. */
  versions: Tally;
}

export interface TallyCounter {
  add(visit: Visit): void;
  result(): CrawlTally;
}

export function createTally(): TallyCounter {
  const counts = { byVerdict: new Map<string, number>(), byReason: new Map<string, number>() };
  const software = new Map<string, number>();
  const versions = new Map<string, number>();
  let visited = 0;
  return {
    add(visit) {
      visited++;
      increment(counts.byVerdict, visit.verdict);
      increment(counts.byReason, `${visit.verdict}: ${visit.reason}`);
      if (visit.software !== null) increment(software, visit.software);
      if (visit.verdict === 'loops') increment(versions, visit.version ?? 'unknown');
    },
    result: () => ({
      visited,
      byVerdict: sorted(counts.byVerdict),
      byReason: sorted(counts.byReason),
      software: sorted(software),
      versions: sorted(versions),
    }),
  };
}

function increment(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

function sorted(counts: ReadonlyMap<string, number>): Tally {
  return [...counts]
    .map(([name, count]) => ({ name, count }))
    .sort((a, b) => b.count - a.count || (a.name < b.name ? -1 : 1));
}

/** A longer list ends with the sum of the remaining names; a single remaining name is shown instead. */
const MAX_NAMES = 12;

/** The counts at the end of a pass: a line for each verdict with its reasons, one for the software and one for the versions. */
export function tallyText({ visited, byVerdict, byReason, software, versions }: CrawlTally, maxWidth: number): string {
  const reasonsOf = (verdict: string) =>
    byReason
      .filter(({ name }) => name.startsWith(`${verdict}: `))
      .map(({ name, count }) => ({ name: name.slice(verdict.length + 2), count }));
  const rows = [
    ...byVerdict.map(({ name, count }) => ({ label: name, total: String(count), list: reasonsOf(name) })),
    { label: 'Software', total: '', list: software },
    { label: 'Loops versions', total: '', list: versions },
  ].filter(({ list }) => list.length > 0);
  const width = Math.max(...rows.map(({ label }) => label.length));
  const digits = String(visited).length;
  return rows
    .flatMap(({ label, total, list }) =>
      wrapLines(listText(list), maxWidth, { first: `${label.padEnd(width)}  ${total.padStart(digits)}  ` }),
    )
    .join('\n');
}

function listText(tally: Tally): string {
  const limit = tally.length === MAX_NAMES + 1 ? tally.length : MAX_NAMES;
  const shown = tally.slice(0, limit).map(({ name, count }) => `${distinctName(name)} (${count})`);
  const rest = tally.slice(limit);
  const total = rest.reduce((sum, { count }) => sum + count, 0);
  return [...shown, ...(rest.length === 0 ? [] : [`${rest.length} more (${total})`])].join(', ');
}
