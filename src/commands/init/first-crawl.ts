import { type CrawlReport, crawlAndExport } from '../../app/crawl-and-export.ts';
import { counted } from '../../report/text-blocks.ts';
import { abortOnSignal } from '../../shutdown.ts';
import { explainError, isExpected } from '../input/explain-error.ts';
import { type CommandLine, openApp } from '../input/open-app.ts';
import { progressOn } from '../output/crawl-progress.ts';
import { sourceLine } from '../output/source-tables.ts';

/** The first crawl of a new directory, or why there was none. */
export type FirstCrawl =
  | { readonly skipped: string }
  | {
      /** Loops servers found. */
      readonly loops: number;
      readonly visited: number;
      /** Why there are few, and what to do; empty when there are enough. */
      readonly why: readonly string[];
    };

/** A directory with fewer servers looks broken, so the reasons are given. */
const ENOUGH_SERVERS = 5;

/** Runs one pass with the new settings. @param settingsFile its name, for messages. */
export async function firstCrawl(commandLine: CommandLine, settingsFile: string): Promise<FirstCrawl> {
  const { options, terminal } = commandLine;
  using interrupt = abortOnSignal();
  try {
    await using app = await openApp(commandLine);
    using _crawling = app.startCrawling('init');
    const { signal } = interrupt;
    const { report, fault } = await crawlAndExport(app, { signal, ...progressOn(terminal.stderr, options) });
    if (fault !== null) throw fault;
    if (report.end === 'offline') return { skipped: 'this machine is offline: no name could be resolved' };
    if (report.end === 'stopped') return { skipped: 'it was stopped' };
    const off = app.settings.sources.filter(({ enabled }) => !enabled).map(({ id, type }) => id ?? type);
    return {
      loops: report.domains.listed,
      visited: report.visited,
      why: report.domains.listed < ENOUGH_SERVERS ? reasonsFor(report, off, settingsFile) : [],
    };
  } catch (error) {
    if (!isExpected(error)) throw error;
    return { skipped: explainError(error) };
  }
}

function reasonsFor({ visited, byVerdict, sources }: CrawlReport, off: readonly string[], file: string): string[] {
  const others = byVerdict.filter(({ name }) => name !== 'loops').map(({ name, count }) => `${count} ${name}`);
  const incomplete = sources.filter(({ outcome }) => outcome !== 'complete' && outcome !== 'unchanged');
  return [
    ...incomplete.map(sourceLine),
    visited === 0
      ? 'No source listed a domain that could be visited.'
      : `Of ${counted(visited, 'domain')} visited, ${others.length === 0 ? 'all run Loops' : others.join(', ')}; explain DOMAIN gives the reason of one.`,
    off.length === 0
      ? 'Every source is switched on; add domains to seeds.txt.'
      : `These sources are switched off: ${off.join(', ')}. To read one, follow its note in ${file} and set "enabled": true.`,
  ];
}

/** The result as text. */
export function firstCrawlText(crawl: FirstCrawl): string[] {
  if ('skipped' in crawl) return [`No first crawl: ${crawl.skipped}. Run it later with the command crawl.`];
  const { loops, visited, why } = crawl;
  const found = `First crawl: ${counted(loops, 'Loops server')} found, ${counted(visited, 'domain')} visited.`;
  return why.length === 0 ? [found] : [`${found} These are few, because:`, ...why.map((reason) => `  - ${reason}`)];
}
