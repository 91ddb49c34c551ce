import { hostname } from 'node:os';
import process from 'node:process';
import { createNetwork } from '../app/network.ts';
import { createVisitByTask } from '../crawl/workers/visit-by-task.ts';
import { type WorkOptions, work } from '../crawl/workers/work.ts';
import { createLogger } from '../logger.ts';
import type { Settings } from '../settings/schema.ts';
import { readEngineUrl } from '../settings/settings.ts';
import { shutDownOnSignals } from '../shutdown.ts';
import { VERSION } from '../version.ts';
import { type Help, type Run, UsageError } from './command.ts';
import { settingsOf } from './input/open-app.ts';
import { untilAborted, wholeNumber } from './input/values.ts';

export const help: Help = {
  options: [
    ['--concurrency <number>', 'concurrent visits (default: 64)'],
    ['--name <name>', 'the public name of this worker, in logs and on /crawler (default: the host name)'],
  ],
  more: `A service whose settings name a job engine, a PostgreSQL database, hands its
visits to workers. Set the same database here, by LOOPSCOUT_ENGINE_URL or
queue.engine. A worker has no database of its own. For visits, it uses only the
network settings; the others come with each visit. It must have the same version
and the same network.allow as the service. Runs until SIGINT or SIGTERM; the
first signal lets running visits finish. Needs the package pg-boss.`,
  examples: ['loopscout worker', 'loopscout worker --name west --set network.localAddress=192.0.2.7'],
};

const DEFAULT_CONCURRENCY = 64;

/** `worker`: carries out the visits of crawls on other machines, until SIGINT or SIGTERM. */
export const run: Run<{ concurrency?: string; name?: string }> = async (invocation) => {
  const { options, terminal } = invocation;
  const settings = settingsOf(invocation);
  const { concurrency: text, name = hostname() } = options;
  const concurrency = text === undefined ? DEFAULT_CONCURRENCY : wholeNumber('--concurrency', text, 1, 10_000);
  if (!/^[\w.-]{1,100}$/.test(name))
    throw new UsageError('--name takes 1 to 100 letters, digits, dots, hyphens and underscores');
  const url = readEngineUrl(settings);
  if (url === null) throw new UsageError('a worker needs a job engine: set LOOPSCOUT_ENGINE_URL or queue.engine');
  using shutdown = shutDownOnSignals(() => settings.service.shutdownSeconds * 1_000);
  const logger = createLogger({ level: settings.log.level, stream: terminal.stderr });
  logger.info({ name, concurrency }, 'the worker has started');
  const working = runWorker(settings, {
    ...{ url, name, concurrency, signal: shutdown.drain },
    log: logger,
    onVisited({ domain }, visit) {
      logger.info({ domain, verdict: visit?.verdict, reason: visit?.reason, ms: visit?.durationMs }, 'visit');
    },
  });
  await Promise.race([working, untilAborted(shutdown.giveUp)]);
  logger.info('the worker has stopped');
  // Running visits are abandoned; their leases expire.
  if (shutdown.giveUp.aborted) process.exit(1);
  return 0;
};

/** Runs visits for crawling processes until the signal aborts. @throws {EngineError} {WorkerMismatchError} {CaFileError} */
export async function runWorker(
  settings: Settings,
  options: Pick<WorkOptions, 'url' | 'name' | 'concurrency' | 'log' | 'onVisited' | 'signal'>,
): Promise<void> {
  const clock = () => performance.now();
  const { connectivity, isOnline, guard } = createNetwork(settings, { now: Date.now, clock });
  const visit = createVisitByTask(settings.network, clock);
  const { isHostAtFault } = connectivity;
  await work({ ...options, version: VERSION, visit, guard, isHostAtFault, isOnline, clock });
}
