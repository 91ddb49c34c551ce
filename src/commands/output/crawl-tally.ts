import type { Visit } from '../../app/app.ts';
import { distinctName } from '../../report/text-blocks.ts';
import { tableText } from './table.ts';

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

/** Maximum rows of a table; one more row sums up the rest. */
const MAX_ROWS = 12;
/** The same for all tables, so that they align. */
const NAME_WIDTH = 50;

/** The tables at the end of a pass. */
export function crawlTables(tally: CrawlTally, maxWidth?: number): string {
  return [
    table('verdict', tally.byVerdict, maxWidth),
    table('reason', tally.byReason, maxWidth),
    table('software', tally.software, maxWidth),
    table('Loops version', tally.versions, maxWidth),
  ]
    .filter((text) => text !== '')
    .join('\n');
}

function table(title: string, tally: Tally, maxWidth?: number): string {
  if (tally.length === 0) return '';
  const rest = tally.slice(MAX_ROWS);
  const rows = tally.slice(0, MAX_ROWS).map(({ name, count }) => ({ name: distinctName(name), count }));
  const total = rest.reduce((sum, { count }) => sum + count, 0);
  if (rest.length > 0) rows.push({ name: `${rest.length} more`, count: total });
  return tableText(
    [
      { title, cell: ({ name }) => name, width: NAME_WIDTH },
      { title: 'visits', cell: ({ count }) => count, kind: 'number', width: 8 },
    ],
    rows,
    maxWidth,
  );
}
