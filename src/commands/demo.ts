import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { type App, abortOnSignal, createApp, createLogger, parseDomains, type Visit } from '../app/app.ts';
import { differencesFrom, outcomeText, priorityText } from '../demo/compare-with-fleet.ts';
import { recordPast } from '../demo/record-past.ts';
import { writeSourceLists } from '../demo/source-lists.ts';
import { createFleet } from '../reference/index.ts';
import { createService } from '../service/service.ts';
import { listSources } from '../service/sources/source-overview.ts';
import { listen } from '../service/web-server.ts';
import { loadSettings } from '../settings/settings.ts';
import type { Run } from './command.ts';
import { summary } from './crawl.ts';
import { untilAborted, wholeNumber } from './input/values.ts';
import { crawlOnce, unlessAborted } from './output/crawl-report.ts';
import { sourcesText } from './output/source-tables.ts';
import { fleetSettings } from './reference-fleet.ts';

const DEFAULT_HOSTS = '240';
/** Delay of the answers while the demo stays up, so that response times differ. */
const DELAY_MS: [number, number] = [5, 60];
/** Revisits all the time, so that the pages change while somebody watches. */
const LIVELY = { cadence: { loopsHours: 0.25, jitter: 0.9 }, jobs: { export: '* * * * *' } };

interface DemoOptions {
  hosts?: string;
  once?: boolean;
}

/**
 * `demo`: starts a fleet with every kind of host, crawls it with the complete crawler, and compares each verdict with what the
 * fleet expects. With `--once` it ends then. Otherwise it records an invented past before the crawl, runs the service with its pages
 * afterwards, until SIGINT or SIGTERM, and removes its folder.
 */
export const run: Run<DemoOptions> = async (invocation) => {
  const { options, terminal, outputLost } = invocation;
  const isOnce = options.once === true;
  const size = wholeNumber('--hosts', options.hosts ?? DEFAULT_HOSTS, 1, 100_000);
  using interrupt = abortOnSignal();
  const signal = AbortSignal.any([interrupt.signal, outputLost]);
  await using fleet = await createFleet({ hosts: size, delayMs: isOnce ? 0 : DELAY_MS });
  const folder = await mkdtemp(join(tmpdir(), 'loopscout-demo-'));
  using _removal = isOnce ? null : removeAtExit(folder);
  const { sources, reportedLoops } = await writeSourceLists(folder, fleet.hosts);
  const settings = loadSettings({
    cwd: folder,
    env: {},
    flags: {
      ...fleetSettings(fleet),
      ...(isOnce ? {} : LIVELY),
      database: 'loopscout.sqlite',
      export: { dir: 'export' },
      serve: { port: 0 },
      log: { level: 'warn' },
      sources,
    },
  });
  const logger = createLogger({ level: settings.log.level, stream: terminal.stderr });
  const print = (text: string) => {
    if (options.json !== true) terminal.stdout.write(text);
  };
  print(`${fleet.hosts.length} hosts of ${new Set(fleet.hosts.map(({ kind }) => kind)).size} kinds on 127.0.0.1.\n`);
  if (!isOnce) {
    const domains = parseDomains(
      fleet.hosts.map(({ domain }) => domain),
      settings,
    );
    const visits = await unlessAborted(signal, () =>
      recordPast(settings, logger, { domains, now: Date.now(), signal }),
    );
    if (visits === null) return 0;
    print(`${visits} visits of the past year were invented, so that the charts have something to show.\n`);
  }
  await using app = await createApp(settings, logger);
  const visits = new Map<string, Visit>();
  const { report, fault } = await crawlOnce(app, {
    stderr: terminal.stderr,
    options,
    signal,
    onVisit: (visit) => visits.set(visit.domain, visit),
  });
  if (fault !== null) throw fault;
  if (!isOnce && signal.aborted) return 0;
  const surprises = differencesFrom(fleet.hosts, visits);
  const code = report.end === 'done' && surprises.length === 0 ? 0 : 1;
  const result = { ...report, yields: listSources(settings, Date.now()), surprises };
  if (isOnce) {
    print(`${summary(report)}${sourcesText(result.yields)}${priorityText([...visits.keys()], reportedLoops)}`);
    print(outcomeText(fleet.hosts, surprises));
    if (options.json === true) terminal.stdout.write(`${JSON.stringify(result, null, 2)}\n`);
    return code;
  }
  print(outcomeText(fleet.hosts, surprises));
  await serveUntil(signal, app, (url) => {
    print(`Open ${url}\nCtrl-C ends the demo and removes its folder.\n`);
    if (options.json === true) terminal.stdout.write(`${JSON.stringify({ url, ...result })}\n`);
  });
  return code;
};

/** Runs the service with its pages until the signal aborts. */
async function serveUntil(signal: AbortSignal, app: App, onListening: (url: string) => void): Promise<void> {
  const { settings, logger } = app;
  await using service = createService({ app, now: Date.now, clock: () => performance.now() });
  await using http = await listen({ settings, logger, health: service.health });
  await service.start();
  onListening(http.url);
  const broken = await Promise.race([service.broken, untilAborted(signal)]);
  if (broken !== undefined) throw broken;
}

/** Removes the folder when disposed of, and also when the process exits earlier, because of a second Ctrl-C. */
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
