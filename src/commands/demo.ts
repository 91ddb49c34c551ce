import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';
import { createApp } from '../app/app.ts';
import { crawlAndExport } from '../app/crawl-and-export.ts';
import { createChecks } from '../app/visitor-checks.ts';
import { differencesFrom, outcomeText, priorityText, type VisitResult } from '../demo/compare-with-fleet.ts';
import { recordPast } from '../demo/record-past.ts';
import { writeSourceLists } from '../demo/source-lists.ts';
import { createLogger } from '../logger.ts';
import { MINUTE_MS } from '../model/time.ts';
import type { Visit } from '../model/visit.ts';
import { createFleet, type Fleet } from '../reference/index.ts';
import type { Crawler } from '../service/crawler.ts';
import { Service } from '../service/service.ts';
import { listSources } from '../service/sources/source-overview.ts';
import { listen } from '../service/web-server.ts';
import { parseDomains } from '../settings/parse-domains.ts';
import { loadSettings, type Settings } from '../settings/settings.ts';
import { abortOnSignal, unlessAborted } from '../shutdown.ts';
import { type Help, type Invocation, type Run, UsageError } from './command.ts';
import { summary } from './crawl.ts';
import { logLevelOf } from './input/open-app.ts';
import { programCall } from './input/started-by.ts';
import { untilAborted, wholeNumber } from './input/values.ts';
import { progressOn } from './output/crawl-progress.ts';
import { sourcesText } from './output/source-tables.ts';
import { tableWidth, wrappedText } from './output/table.ts';
import { fleetSettings } from './reference-fleet.ts';

export const help: Help = {
  options: [
    ['--once', 'crawl the fleet once, without a past, and end; its folder stays'],
    ['--hosts <hosts>', 'size of the fleet (default: 240)'],
  ],
  refusesSettings: true,
  more: `Starts a fleet with every kind of host, invents and records a past year for it,
crawls it, compares each verdict with what the fleet expects, prints one URL,
and keeps crawling until Ctrl-C, which removes the folder of the demo.`,
  examples: ['loopscout demo', 'loopscout demo --once --hosts 500'],
};

const DEFAULT_HOSTS = '240';
/** Delay of the answers while the demo stays up, so that response times differ. */
const DELAY_MS: [number, number] = [5, 60];
/** Visits and exports all the time, so that the pages change while somebody watches. */
const DEMO_SETTINGS = {
  cadence: { loopsHours: 0.1, downFirstDayHours: 0.1, downHours: 0.1, jitter: 0.5 },
  jobs: { export: '* * * * *' },
};
/** The fleet and its crawler share a process, so a busy machine delays both ends of a connection. No host of the demo stalls. */
const PATIENT = { dnsTimeoutMs: 15_000, timeouts: { connectMs: MINUTE_MS, responseMs: MINUTE_MS, visitMs: 300_000 } };
/** Interval between checks for hosts that are not visited yet. */
const WAIT_MS = 200;

interface DemoOptions {
  hosts?: string;
  once?: boolean;
}

interface Demo {
  fleet: Fleet;
  /** The domains of the hosts of the fleet. */
  domains: readonly Visit['domain'][];
  settings: Settings;
  /** The hosts that a list reports as Loops. */
  reportedLoops: ReadonlySet<string>;
  app: Crawler;
}

/**
 * `demo`: runs the complete crawler over a fleet with every kind of host, and compares each verdict with what the fleet expects. Without
 * `--once`, it first invents a past, then runs the service with its pages until SIGINT or SIGTERM, and removes its folder.
 */
export const run: Run<DemoOptions> = async (invocation) => {
  const { options, terminal, outputFailed } = invocation;
  const isOnce = options.once === true;
  if (options.config !== undefined || options.set !== undefined)
    throw new UsageError('demo uses neither --config nor --set: its settings are those of its fleet');
  const size = wholeNumber('--hosts', options.hosts ?? DEFAULT_HOSTS, 1, 100_000);
  using interrupt = abortOnSignal();
  const signal = AbortSignal.any([interrupt.signal, outputFailed]);
  await using fleet = await createFleet({ hosts: size, delayMs: isOnce ? 0 : DELAY_MS });
  const folder = await mkdtemp(join(tmpdir(), 'loopscout-demo-'));
  using _removal = isOnce ? null : removeAtExit(folder);
  const { sources, reportedLoops } = await writeSourceLists(folder, fleet.hosts);
  const reachable = fleetSettings(fleet);
  const settings = loadSettings({
    cwd: folder,
    env: {},
    flags: {
      ...reachable,
      network: { ...reachable.network, ...PATIENT },
      ...(isOnce ? {} : DEMO_SETTINGS),
      database: 'loopscout.sqlite',
      export: { dir: 'export' },
      serve: { port: 0, check: true, submissions: true },
      log: { level: logLevelOf(options) ?? 'warn' },
      sources,
    },
  });
  const logger = createLogger({ level: settings.log.level, stream: terminal.stderr });
  const kinds = new Set(fleet.hosts.map(({ kind }) => kind));
  print(invocation, `${fleet.hosts.length} hosts of ${kinds.size} kinds on 127.0.0.1.\n`);
  const names = fleet.hosts.map(({ domain }) => domain);
  const domains = parseDomains(names, settings);
  if (!isOnce) {
    print(
      invocation,
      'A past year is being invented, so that the charts have something to show. It takes about 20 seconds.\n',
    );
    const visits = await unlessAborted(signal, () =>
      recordPast(settings, logger, { domains, now: Date.now(), signal }),
    );
    if (visits === null) return 0;
    print(invocation, `The past has ${visits} visits, including visits to servers that are gone.\n`);
  }
  await using app = await createApp(settings, logger);
  using _crawling = app.startCrawling('demo');
  const demo = { fleet, domains, settings, reportedLoops, app };
  return await (isOnce ? crawlFleet(invocation, demo, signal) : serveFleet(invocation, demo, signal));
};

/** Prints text, unless the output is JSON. */
function print({ options, terminal }: Invocation, text: string): void {
  if (options.json !== true) terminal.stdout.write(wrappedText(text.trimEnd(), tableWidth(terminal.stdout)));
}

/** One pass over the fleet. */
async function crawlFleet(
  invocation: Invocation,
  { fleet, settings, reportedLoops, app }: Demo,
  signal: AbortSignal,
): Promise<number> {
  const { options, terminal } = invocation;
  const completed: Visit[] = [];
  const progress = progressOn(terminal.stderr, options);
  const { report, fault } = await crawlAndExport(app, { signal, visits: completed, ...progress });
  if (fault !== null) throw fault;
  const visits = new Map<string, Visit>(completed.map((visit) => [visit.domain, visit]));
  const isDone = report.end === 'done';
  const judged = isDone ? fleet.hosts : fleet.hosts.filter(({ domain }) => visits.has(domain));
  const surprises = differencesFrom(judged, visits);
  const yields = listSources(settings, Date.now());
  if (options.json === true) terminal.stdout.write(`${JSON.stringify({ ...report, yields, surprises }, null, 2)}\n`);
  const maxWidth = tableWidth(terminal.stdout);
  const tables = `${summary(report, maxWidth)}${sourcesText(yields, maxWidth)}`;
  print(invocation, `${tables}${priorityText([...visits.keys()], reportedLoops)}`);
  if (isDone || surprises.length > 0) print(invocation, outcomeText(fleet.hosts, surprises));
  return isDone && surprises.length === 0 ? 0 : 1;
}

/** The service and its pages over the fleet, until the signal aborts. */
async function serveFleet(
  invocation: Invocation,
  { fleet, domains, settings, app }: Demo,
  signal: AbortSignal,
): Promise<number> {
  const { logger } = app;
  const startedAt = Date.now();
  await using service = new Service(app, { now: Date.now, clock: () => performance.now() });
  await using checks = createChecks(app);
  await using server = await listen({
    ...{ settings, logger, health: () => service.health(), check: checks.check },
    submit: (domain) => service.submissions.submit(domain),
  });
  await service.start();
  const ended = new AbortController();
  const broken = Promise.race([service.broken, untilAborted(signal)]).finally(() => ended.abort());
  const visits = await visitsSince(startedAt, domains, app, ended.signal);
  if (visits !== null) {
    const surprises = differencesFrom(fleet.hosts, visits);
    print(invocation, `${outcomeText(fleet.hosts, surprises)}Open ${server.url}\n`);
    print(
      invocation,
      `Links to the servers do not open: only the demo can resolve their names. The exported files are in ${settings.export.dir}. Ctrl-C ends the demo and removes them.\n`,
    );
    const call = programCall(invocation.terminal.cwd);
    print(invocation, `For a directory of your own:\n  ${call} init my-directory\n  cd my-directory\n  ${call} run\n`);
    if (invocation.options.json === true)
      invocation.terminal.stdout.write(`${JSON.stringify({ url: server.url, surprises })}\n`);
  }
  const error = await broken;
  if (error !== undefined) throw error;
  return 0;
}

/** The last visit of each domain, once all were visited since a time; null when the signal aborts before. */
async function visitsSince(
  since: number,
  domains: Demo['domains'],
  { store }: Crawler,
  signal: AbortSignal,
): Promise<Map<string, VisitResult> | null> {
  using reader = store.reader();
  const visits = new Map<string, VisitResult>();
  while (!signal.aborted) {
    for (const domain of domains.filter((each) => !visits.has(each))) {
      const [visit] = reader.visits.of(domain);
      if (visit !== undefined && visit.at >= since) visits.set(domain, visit);
    }
    if (visits.size === domains.length) return visits;
    await delay(WAIT_MS);
  }
  return null;
}

/** Removes the folder when disposed of, or when the process exits earlier, at a second Ctrl-C. */
function removeAtExit(folder: string): Disposable {
  const remove = () => rmSync(folder, { recursive: true, force: true });
  // A closed terminal ends the demo like Ctrl-C.
  const onHangUp = () => process.kill(process.pid, 'SIGTERM');
  process.on('exit', remove).on('SIGHUP', onHangUp);
  return {
    [Symbol.dispose]() {
      remove();
      process.off('exit', remove).off('SIGHUP', onHangUp);
    },
  };
}
