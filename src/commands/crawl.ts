import { type CrawlReport, crawlAndExport } from '../app/crawl-and-export.ts';
import type { Visit } from '../model/visit.ts';
import { counted } from '../report/text-blocks.ts';
import { planCrawl } from '../service/crawl-plan.ts';
import { parseDomains } from '../settings/parse-domains.ts';
import { requireContact } from '../settings/require-contact.ts';
import { abortOnSignal } from '../shutdown.ts';
import { type Help, type Run, UsageError } from './command.ts';
import { exportLine } from './export.ts';
import { openApp, settingsFileFor, settingsOf } from './input/open-app.ts';
import { requireCandidates } from './input/require-candidates.ts';
import { progressOn } from './output/crawl-progress.ts';
import { tallyText } from './output/crawl-tally.ts';
import { planText } from './output/plan-text.ts';
import { sourceLine } from './output/source-tables.ts';
import { tableWidth, wrappedText } from './output/table.ts';
import { visitJson, visitText } from './output/visit-text.ts';

export const help: Help = {
  argument: 'visit only these, now, due or not',
  options: [
    [
      '--sources <which>',
      'due (default), all, fresh (all in full, even unchanged lists), or none; none when domains are named',
    ],
    ['--dry-run', 'show which sources would be read and which domains visited; contact nobody, write nothing'],
  ],
  more: `Reads the sources that are due, visits every due domain, writes the datasets and
prints a summary. Named domains are visited whether due or not, and each request
is shown. After a stop or a crash, the next crawl continues with the rest.

Exit code: 0; 1 when the crawl was stopped or failed, another process is
crawling with the database, this machine is offline, the guard of export refuses
the new files, a named domain was not visited, or no domain is known; 2 for a
usage or settings error.`,
  examples: ['loopscout crawl', 'loopscout crawl --dry-run', 'loopscout crawl loops.example --json'],
};

/** `crawl [DOMAIN...]`: one pass over the due domains, or over the named ones. */
export const run: Run<{ sources?: string; dryRun?: boolean }> = async (invocation) => {
  const { args, options, terminal } = invocation;
  const sources = whichSources(options.sources ?? 'due');
  const settings = settingsOf(invocation);
  const only = args.length === 0 ? undefined : parseDomains(args, settings);
  if (options.dryRun !== true) requireContact(settings, settingsFileFor(invocation));
  if (only === undefined) requireCandidates(invocation, settings, sources !== 'none');
  using interrupt = abortOnSignal();
  if (options.dryRun === true) {
    const plan = await planCrawl(settings, { only, which: sources, now: Date.now(), signal: interrupt.signal });
    terminal.stdout.write(options.json === true ? `${JSON.stringify(plan, null, 2)}\n` : planText(plan));
    return 0;
  }
  await using app = await openApp(invocation);
  using _crawling = app.startCrawling('crawl');
  const visits: Visit[] = [];
  const { report, fault } = await crawlAndExport(app, {
    ...{ only, sources, signal: interrupt.signal, visits: only && visits },
    ...progressOn(terminal.stderr, options),
  });
  if (options.json === true) {
    const shown = only === undefined ? report : { ...report, visits: visits.map(visitJson) };
    terminal.stdout.write(`${JSON.stringify(shown, null, 2)}\n`);
  } else if (options.quiet !== true) {
    for (const visit of visits) terminal.stdout.write(`${visitText(visit)}\n\n`);
    terminal.stdout.write(summary(report, tableWidth(terminal.stdout)));
  }
  if (fault !== null) throw fault;
  if (report.end !== 'done') return 1;
  if (only === undefined && report.domains.known === 0) {
    terminal.stderr.write(`${NO_DOMAINS}\n`);
    return 1;
  }
  const visited = new Set<string>(visits.map(({ domain }) => domain));
  const missed = (only ?? []).filter((domain) => !visited.has(domain));
  for (const domain of missed) terminal.stderr.write(`${domain} was not visited: ${WHY_MISSED}\n`);
  return missed.length === 0 ? 0 : 1;
};

const WHY_MISSED = 'its owner has opted out, or the visit failed because of an error (see the log above).';

const NO_DOMAINS =
  'No domain is known, because no source listed one: add domains to a file source, or enable another source.';

/** The result of a pass as text. */
export function summary(report: CrawlReport, maxWidth: number): string {
  const { visited, durationMs, domains } = report;
  const seconds = durationMs / 1_000;
  const lines = [
    ...report.sources.map(sourceLine),
    report.visited > 1 ? tallyText(report, maxWidth) : '',
    `Visited ${counted(visited, 'domain')} in ${seconds.toFixed(1)} s (${(visited / seconds).toFixed(1)}/s); ${domains.known} known, ${domains.due} still due, ${counted(domains.listed, 'Loops instance')} listed.`,
    report.export === null ? '' : exportLine(report.export),
    ENDS[report.end],
  ];
  return wrappedText(lines.filter((line) => line !== '').join('\n'), maxWidth);
}

const ENDS: Readonly<Record<CrawlReport['end'], string>> = {
  done: '',
  stopped: 'Stopped early: domains that were not visited stay due, and the exported files are unchanged.',
  offline:
    'Offline: no DNS server answered or resolved any name, or every host timed out. No failure was recorded, domains that were not visited stay due, and the exported files are unchanged. Check the network, or network.dnsServers.',
};

const WHICH = ['due', 'all', 'fresh', 'none'] as const;

/** @throws {UsageError} */
function whichSources(text: string): (typeof WHICH)[number] {
  const which = WHICH.find((word) => word === text);
  if (which !== undefined) return which;
  throw new UsageError(`--sources is ${text}; allowed: ${WHICH.join(', ')}`);
}
