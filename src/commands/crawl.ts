import { type CrawlCounts, type CrawlReport, crawlAndExport, type Tally } from '../app/crawl-and-export.ts';
import { utcText } from '../model/time.ts';
import type { Visit } from '../model/visit.ts';
import { counted, distinctName, wrapLines } from '../report/text-blocks.ts';
import { type CrawlPlan, type PlannedSource, type PlannedVisit, planCrawl } from '../service/crawl-plan.ts';
import { parseDomains } from '../settings/parse-domains.ts';
import { requireContact } from '../settings/require-contact.ts';
import { abortOnSignal } from '../shutdown.ts';
import { type Help, type Run, UsageError, writeResult } from './command.ts';
import { exportLine } from './export.ts';
import { openApp, settingsFileFor, settingsOf } from './input/open-app.ts';
import { requireCandidates } from './input/require-candidates.ts';
import { progressOn } from './output/crawl-progress.ts';
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
    writeResult(invocation, plan, () => planText(plan));
    return 0;
  }
  await using app = await openApp(invocation, settings);
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

/** Maximum domains in the text. */
const MAX_SHOWN = 50;

function planText({ sources, domains, optedOut }: CrawlPlan): string {
  const sourcesToRead = sources.filter(({ read }) => read === 'yes');
  const remote = sourcesToRead.filter(({ requestsLastTime }) => requestsLastTime !== 0);
  const shown = domains.slice(0, MAX_SHOWN);
  const rest = domains.length - shown.length;
  const lines = [
    ...(sources.length === 0 ? [] : [`${counted(sourcesToRead.length, 'source')} would be read:`]),
    ...sources.map((source) => `  ${source.label}: ${sourceText(source)}`),
    `${counted(domains.length, 'domain')} would be visited${remote.length === 0 ? '' : ', and those that remote sources add'}${domains.length === 0 ? '.' : ':'}`,
    ...shown.map((visit) => `  ${visitLine(visit)}`),
    ...(rest > 0 ? [`  and ${rest} more; --json lists all`] : []),
    ...optedOut.map((domain) => `${domain} would not be visited: its owner has opted out.`),
    'Nothing was contacted or written.',
  ];
  return `${lines.join('\n')}\n`;
}

function sourceText({ read, requestsLastTime, nextRead }: PlannedSource): string {
  if (read === 'left-out') return 'no, left out by --sources';
  if (read === 'opted-out') return 'no, its host has opted out';
  if (read === 'not-due' && nextRead !== null) return `not before ${utcText(nextRead)}`;
  if (requestsLastTime === 0) return 'yes, without requests';
  return requestsLastTime === null
    ? 'yes, for the first time; the number of requests is unknown'
    : `yes; ${counted(requestsLastTime, 'request')} last time`;
}

function visitLine({ domain, dueSince, listedBy }: PlannedVisit): string {
  if (listedBy !== null) return `${domain}: new, listed by ${listedBy}`;
  return dueSince === null ? `${domain}: new` : `${domain}: due ${utcText(dueSince)}`;
}
