import process from 'node:process';
import { createChecks } from '../app/visitor-checks.ts';
import type { Crawler } from '../service/crawler.ts';
import { Service } from '../service/service.ts';
import { listen } from '../service/web-server.ts';
import { requireContact } from '../settings/require-contact.ts';
import { SettingsError } from '../settings/settings.ts';
import { handlePendingSignals, shutDownOnSignals } from '../shutdown.ts';
import type { Help, Invocation, Run } from './command.ts';
import { openApp, settingsFileFor, settingsOf } from './input/open-app.ts';
import { requireCandidates } from './input/require-candidates.ts';
import { untilAborted } from './input/values.ts';

export const help: Help = {
  more: `Runs until SIGINT or SIGTERM. The first signal lets running visits finish
(service.shutdownSeconds); the second abandons them. SIGHUP reloads the settings
and logs which changes need a restart; on a terminal, it stops the service. Logs
one line per visit, as JSON unless on a terminal. Only one process crawls with
a database; add, forget, explain, check, export, backup and serve can be used at
the same time. GET /health at serve.host and serve.port reports the health of
the service.`,
  examples: ['loopscout run', 'loopscout run --config /etc/loopscout/crawler.config.json --verbose'],
};

/** `run`: the service, until SIGINT or SIGTERM. @throws {CrawlingError} when another process is crawling with the database. */
export const run: Run = async (invocation) => {
  const { options, terminal } = invocation;
  // Signal handlers come first, before anything that takes time.
  const initial = settingsOf(invocation);
  let currentSettings = () => initial;
  using shutdown = shutDownOnSignals(() => currentSettings().service.shutdownSeconds * 1_000);
  const hangUp = handleHangUp(terminal.stderr.isTTY === true);
  requireContact(initial, settingsFileFor(invocation));
  if (!initial.serve.submissions) requireCandidates(invocation, initial);
  await using app = await openApp(invocation, initial);
  currentSettings = () => app.settings;
  await app.checkBeforeCrawl();
  using crawling = await unlessStopped(shutdown.drain, () => app.startCrawling('run'));
  if (crawling === null) return 0;
  await using service = new Service(app, { now: Date.now, clock: () => performance.now() });
  shutdown.giveUp.addEventListener('abort', () => service.stopNow());
  shutdown.drain.addEventListener('abort', () => service.stop());
  await using checks = createChecks(app);
  await using server = await listen({
    settings: app.settings,
    currentSettings,
    logger: app.logger,
    health: () => service.health(),
    submit: (domain) => service.submissions.submit(domain),
    check: checks.check,
  });

  if (!shutdown.drain.aborted) await unlessStopped(shutdown.drain, () => service.start());
  hangUp.onHangUp(() => reload(invocation, app, service));
  if (!shutdown.drain.aborted) {
    const addresses = { url: server.url, health: `${server.url}/health`, pid: process.pid };
    terminal.stdout.write(
      options.json === true
        ? `${JSON.stringify(addresses)}\n`
        : `Loopscout is running. Open ${server.url} (API: ${server.url}/api, health: ${addresses.health}).\nSIGINT or SIGTERM stops it gracefully, SIGHUP reloads the settings.\n`,
    );
  }

  const broken = await Promise.race([service.broken, untilAborted(shutdown.drain)]);
  if (broken !== undefined) app.logger.fatal(broken.message);
  else app.logger.info('stopping: running visits finish, no new ones start');
  await service.stop();
  if (broken !== undefined) throw broken;
  app.logger.info('stopped');
  return 0;
};

/** A step of the start; null when it failed after the process was stopped, as while it waited for a locked database. */
async function unlessStopped<T>(drain: AbortSignal, step: () => T | Promise<T>): Promise<T | null> {
  try {
    return await step();
  } catch (error) {
    await handlePendingSignals();
    if (drain.aborted) return null;
    throw error;
  }
}

/**
 * Handles SIGHUP, which otherwise ends the process. A signal that comes before `onHangUp` is remembered. On a terminal, SIGHUP means that
 * the terminal was closed, and stops the service like SIGTERM.
 */
function handleHangUp(isOnTerminal: boolean): { onHangUp(listener: () => void): void } {
  let isPending = false;
  let listener: (() => void) | null = null;
  process.on('SIGHUP', () => {
    if (isOnTerminal) process.kill(process.pid, 'SIGTERM');
    else if (listener === null) isPending = true;
    else listener();
  });
  return {
    onHangUp(newListener) {
      listener = newListener;
      if (isPending) listener();
    },
  };
}

function reload(invocation: Invocation, { logger }: Crawler, service: Service): void {
  try {
    const { applied, needRestart } = service.reload(settingsOf(invocation));
    if (applied.length > 0) logger.info({ keys: applied }, 'settings applied');
    if (needRestart.length > 0) logger.warn({ keys: needRestart }, 'changed settings that need a restart');
    if (applied.length + needRestart.length === 0) logger.info('no setting has changed');
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    logger.error(`${error.message}\nThe settings are unchanged.`);
  }
}
