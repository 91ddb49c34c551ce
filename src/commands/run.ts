import process from 'node:process';
import { type App, createVisitor, shutDownOnSignals } from '../app/app.ts';
import { createService, type Service } from '../service/service.ts';
import { createSubmissions } from '../service/submissions.ts';
import { listen } from '../service/web-server.ts';
import { SettingsError } from '../settings/settings.ts';
import type { Invocation, Run } from './command.ts';
import { openApp, settingsOf } from './input/open-app.ts';
import { untilAborted } from './input/values.ts';

/** Another `run` has the database. */
class RunningError extends Error {
  override readonly name = 'RunningError';
  readonly kind = 'failure';
}

/** How long a submission waits for its visit. */
const SUBMISSION_ANSWER_MS = 15_000;

/** `run`: the service, until SIGINT or SIGTERM. */
export const run: Run = async (invocation) => {
  const { options, terminal } = invocation;
  // Signals are minded before anything that can take time.
  const initial = settingsOf(invocation);
  let currentSettings = () => initial;
  using shutdown = shutDownOnSignals(() => currentSettings().service.shutdownSeconds * 1_000);
  const hangUp = mindHangUp(terminal.stderr.isTTY === true);
  await using app = await openApp(invocation);
  currentSettings = () => app.settings;
  await app.checkBeforeCrawl();
  using _role = takeRole(app);
  await using service = createService({ app, now: Date.now, clock: () => performance.now() });
  shutdown.giveUp.addEventListener('abort', () => service.stopNow());
  shutdown.drain.addEventListener('abort', () => service.stop());
  await using submissions = createSubmissions({
    open: (overrides) => createVisitor(app, overrides),
    reader: app.store.reader(),
    onError: (err) => app.logger.error({ err }, 'domains that were handed in could not be visited'),
    answerWithinMs: SUBMISSION_ANSWER_MS,
    now: Date.now,
    clock: () => performance.now(),
  });
  const { submit } = submissions;
  await using http = await listen({
    settings: app.settings,
    currentSettings,
    logger: app.logger,
    health: service.health,
    submit,
  });

  if (!shutdown.drain.aborted) await service.start();
  hangUp.onHangUp(() => reload(invocation, app, service));
  if (!shutdown.drain.aborted) {
    const told = { url: http.url, health: `${http.url}/health`, pid: process.pid };
    terminal.stdout.write(
      options.json === true
        ? `${JSON.stringify(told)}\n`
        : `Loopscout runs. Its API: ${http.url}/api, its health: ${told.health}\nSIGINT or SIGTERM ends it in good order, SIGHUP has it read its settings anew.\n`,
    );
  }

  const broken = await Promise.race([service.broken, untilAborted(shutdown.drain)]);
  if (broken !== undefined) app.logger.fatal(broken.message);
  else app.logger.info('stopping: running visits are finished, no other begins');
  await service.stop();
  if (broken !== undefined) throw broken;
  app.logger.info('stopped');
  return 0;
};

/** @throws {RunningError} */
function takeRole({ store, settings }: App): Disposable {
  const role = store.takeRole('service');
  if (role !== null) return role;
  throw new RunningError(
    `another loopscout run is at work on ${settings.database}; stop it first, or name another database. All other commands can be used beside it`,
  );
}

/**
 * Minds SIGHUP from now to the end of the process, which it would end: before anybody can answer it, it is kept. On a terminal it says
 * that the terminal is gone, and ends the service like SIGTERM.
 */
function mindHangUp(isOnTerminal: boolean): { onHangUp(answer: () => void): void } {
  let isKept = false;
  let answer: (() => void) | null = null;
  process.on('SIGHUP', () => {
    if (isOnTerminal) process.kill(process.pid, 'SIGTERM');
    else if (answer === null) isKept = true;
    else answer();
  });
  return {
    onHangUp(given) {
      answer = given;
      if (isKept) answer();
    },
  };
}

/** Reads the settings anew, and says in the log what came of it. */
function reload(invocation: Invocation, { logger }: App, service: Service): void {
  try {
    const { applied, needRestart } = service.reload(settingsOf(invocation));
    if (applied.length > 0) logger.info({ keys: applied }, 'settings taken on');
    if (needRestart.length > 0) logger.warn({ keys: needRestart }, 'changed settings that need a restart');
    if (applied.length + needRestart.length === 0) logger.info('no setting has changed');
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    logger.error(`${error.message}\nThe settings stay as they were.`);
  }
}
