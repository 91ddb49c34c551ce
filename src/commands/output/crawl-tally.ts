import type { CrawlCounts, Tally } from '../../app/crawl-tally.ts';
import { distinctName, wrapLines } from '../../report/text-blocks.ts';

/** A longer list ends with the sum of the remaining names; a single remaining name is shown instead. */
const MAX_NAMES = 12;

/** The counts at the end of a pass: a line for each verdict with its reasons, one for the software and one for the versions. */
export function tallyText({ visited, byVerdict, byReason, software, versions }: CrawlCounts, maxWidth: number): string {
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
