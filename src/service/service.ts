import { describeWorker } from '../directory/worker.ts';
import { type SettingsChanges, settingsChanges } from '../settings/apply-reloadable.ts';
import type { Settings } from '../settings/schema.ts';
import { VERSION } from '../version.ts';
import { createCrawlJob } from './crawl-job.ts';
import type { Crawler } from './crawler.ts';
import { createCronJobs, type Job } from './cron-jobs.ts';
import { createHealthRecord, type Health, type Part } from './health.ts';
import { isGuardError } from './publishing.ts';
import { createSourceJob } from './source-job.ts';
import { Submissions } from './submissions.ts';

/** The crawler as a service: scheduled jobs read sources, visit due domains, export changes and delete old data. */
export interface Service extends AsyncDisposable {
  /**
   * Applies the opt-outs, reads the file sources and starts the jobs, unless the service is stopped meanwhile.
   *
   * @throws {OptOutError} when the opt-out file cannot be read.
   * @throws {SourceError} when a file source cannot be read.
   */
  start(): Promise<void>;
  /** Graceful stop: running visits finish and are recorded. Resolves when all work has ended. */
  stop(): Promise<void>;
  /** Immediate stop: running visits are abandoned and stay due. Call it after `stop`, or instead of it. */
  stopNow(): void;
  /** Resolves with the error that makes it impossible to continue; never rejects. */
  readonly broken: Promise<Error>;
  health(): Health;
  /** Applies the settings that can change without a restart. */
  reload(settings: Settings): SettingsChanges;
  /** The domains that visitors of the pages submit. */
  readonly submissions: Submissions;
  /** Runs a job at once, for a caller that does not wait for the schedule. */
  readonly jobs: Record<'crawl' | 'export' | 'compact' | 'sources', () => Promise<void>>;
}

export interface ServiceOptions {
  app: Crawler;
  /** Milliseconds since the epoch. */
  now: () => number;
  /** Monotonic, in milliseconds. */
  clock: () => number;
  /** How long a submission waits for its visit, in milliseconds. Default: 15,000. */
  submissionAnswerMs?: number;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Upper bound of the backlog count, which runs on the crawl's thread. */
const MAX_COUNTED = 100_000;
const SUBMISSION_ANSWER_MS = 15_000;
/** Interval between checks for visits that other processes requested. */
const POLL_MS = 1_000;
/** Nothing is deleted for this long after the clock jumped ahead, because the jump may be an error that is corrected later. */
const COMPACTION_PAUSE_MS = DAY_MS;

export function createService({ app, now, clock, submissionAnswerMs = SUBMISSION_ANSWER_MS }: ServiceOptions): Service {
  const { store, logger } = app;
  const health = createHealthRecord({ version: VERSION, logger, now, clock });
  const drain = new AbortController();
  const giveUp = new AbortController();
  /** Aborts at either kind of stop. */
  const stopSignal = AbortSignal.any([drain.signal, giveUp.signal]);
  const reader = store.reader();
  const submissions = new Submissions({
    store,
    hourlyLimit: app.hourlyLimit,
    thirdPartyLimits: app.thirdPartyLimits,
    wake,
    isOffline: () => crawlJob.isOffline(),
    answerWithinMs: submissionAnswerMs,
    now,
  });
  const crawlJob = createCrawlJob({ app, health, clock, submissions, drain: drain.signal, giveUp: giveUp.signal });
  const sourceJob = createSourceJob({ app, health, stopSignal });
  const unscheduledWork = new Set<Promise<unknown>>();
  let isFirstPass = true;
  /** Ids of the last visit and the last change in the last published export. */
  let lastExported: string | null = null;
  let newestVersionDueAt = Number.NEGATIVE_INFINITY;
  let compactionPausedUntil = Number.NEGATIVE_INFINITY;
  let stopping: Promise<void> | null = null;
  let poll: NodeJS.Timeout | undefined;
  /** Since a jump of the clock, until the database could be written. */
  let mustBringForward = false;

  const maxDelayMs = () => app.settings.jobs.maxDelaySeconds * 1_000;
  const job = (
    name: Exclude<keyof Settings['jobs'], 'maxDelaySeconds'>,
    run: Job['run'],
    more: Partial<Job> = {},
  ): Job => ({ name, cron: () => app.settings.jobs[name], run, ...more });

  const cronJobs = createCronJobs({
    jobs: [
      job('crawl', crawlThenExport, { startsAtOnce: true }),
      job('files', readFiles, { startsAtOnce: true }),
      job('sources', async () => sourceJob.readRemote(), { startsAtOnce: true, maxDelayMs }),
      job('export', exportIfChanged),
      job('upkeep', upkeep, { maxDelayMs }),
      job('health', async () => logger.info(readHealth(), 'health')),
    ],
    now,
    clock,
    onError: (name, error) => logger.error({ err: error, job: name }, `the job ${name} failed because of a bug`),
    onClockJump,
  });

  return {
    async start() {
      try {
        bringForward();
        await sourceJob.start();
      } catch (error) {
        if (stopSignal.aborted) return;
        throw error;
      }
      if (stopSignal.aborted) return;
      cronJobs.start();
      poll = setInterval(pollForRequests, POLL_MS);
      track(readNewestVersion(stopSignal));
    },
    stop,
    stopNow() {
      drain.abort();
      giveUp.abort();
    },
    submissions,
    broken: health.fatal,
    health: readHealth,
    reload,
    jobs: {
      async crawl() {
        await crawlDue();
      },
      export: () => exportIfChanged(giveUp.signal),
      compact,
      async sources() {
        await readSources();
        await sourceJob.idle();
      },
    },
    async [Symbol.asyncDispose]() {
      giveUp.abort();
      await stop();
      // Not in `stop`: the web server still reports the health of a stopped service.
      reader[Symbol.dispose]();
      health[Symbol.dispose]();
    },
  };

  /** Visits due domains; none while the opt-out file cannot be read. */
  async function crawlDue() {
    return sourceJob.isBlocked() ? null : await crawlJob.crawlDue();
  }

  /** The first complete pass is followed by an export at once. */
  async function crawlThenExport(): Promise<void> {
    const end = await crawlDue();
    if (!isFirstPass || end !== 'done') return;
    isFirstPass = false;
    cronJobs.run('export');
  }

  async function readSources(): Promise<void> {
    await readFiles();
    sourceJob.readRemote();
  }

  async function readFiles(): Promise<void> {
    await sourceJob.readFiles();
    if (sourceJob.isBlocked()) crawlJob.drainPass();
  }

  /** Exports if anything was recorded since the last published export. */
  async function exportIfChanged(signal: AbortSignal): Promise<void> {
    try {
      const recorded = `${reader.lastVisitId()} ${reader.lastChangeId()}`;
      if (recorded === lastExported) return;
      const report = await app.exportInBackground(signal);
      if (report === null) return;
      lastExported = recorded;
      health.recordExport();
      health.clearProblem('export');
      const files = report.files.filter(({ changed }) => changed).map(({ name }) => name);
      if (report.damaged.length > 0)
        logger.warn({ files: report.damaged }, 'damaged dated files were removed: put them back from a backup');
      logger.info({ instances: report.counts.instances, domains: report.counts.domains, files }, 'export');
    } catch (error) {
      if (signal.aborted) return;
      if (isGuardError(error)) health.recordRefusedExport();
      health.reportProblem('export', error);
    }
  }

  async function upkeep(signal: AbortSignal): Promise<void> {
    await compact(signal);
    await readNewestVersion(signal);
  }

  async function compact(signal: AbortSignal = giveUp.signal): Promise<void> {
    if (clock() < compactionPausedUntil) return;
    await attempt('compaction', signal, async () => {
      const report = await app.compactInBackground(signal);
      health.recordCompaction();
      logger.info(report, 'compaction');
    });
  }

  /** Fetches the newest release, about once a day. */
  async function readNewestVersion(signal: AbortSignal): Promise<void> {
    if (clock() < newestVersionDueAt) return;
    await attempt('release', signal, async () => {
      const version = await app.readNewestVersion(signal);
      // Half an hour less than a day, so that the hourly job a day later is not a moment too early.
      newestVersionDueAt = clock() + DAY_MS - HOUR_MS / 2;
      if (version !== null) logger.info({ version }, 'newest release');
    });
  }

  function onClockJump(byMs: number): void {
    logger.warn({ byMs }, byMs < 0 ? 'the clock went back' : 'the clock jumped ahead');
    mustBringForward = true;
    if (byMs > 0) compactionPausedUntil = clock() + COMPACTION_PAUSE_MS;
  }

  /** Visits requested domains now: in the running pass, or in one that starts now. */
  function wake(): void {
    app.wake();
    cronJobs.run('crawl');
  }

  function pollForRequests(): void {
    if (mustBringForward)
      track(
        attempt('database', stopSignal, async () => {
          bringForward();
          mustBringForward = false;
        }),
      );
    try {
      // A running pass looks for them itself.
      if (store.due.hasFirst(now())) cronJobs.run('crawl');
    } catch (error) {
      health.reportProblem('database', error);
    }
  }

  function bringForward(): void {
    const count = store.due.bringForward(now());
    if (count > 0)
      logger.warn(
        { domains: count },
        'the clock was ahead when these domains were visited or entered; their next visits are brought forward',
      );
  }

  function readHealth(): Health {
    try {
      return health.read(reader.backlog(now(), MAX_COUNTED), reader.workers().map(describeWorker), reader.refusing());
    } catch (error) {
      health.reportProblem('database', error);
      return health.read(null);
    }
  }

  function reload(settings: Settings): SettingsChanges {
    const changes = settingsChanges(app.settings, settings);
    app.applyReloadable(settings);
    const hasChanged = (prefix: string) => changes.applied.some((key) => key.startsWith(prefix));
    if (hasChanged('queue.') || hasChanged('cadence.')) crawlJob.drainPass();
    if (hasChanged('sources') || hasChanged('optOut') || health.hasProblem('sources')) track(readSources());
    if (hasChanged('jobs.')) cronJobs.reschedule();
    return changes;
  }

  function stop(): Promise<void> {
    stopping ??= (async () => {
      health.setPhase('stopping');
      drain.abort();
      clearInterval(poll);
      submissions.abandon();
      await cronJobs.stop();
      await Promise.all(unscheduledWork);
      await sourceJob.idle();
    })();
    return stopping;
  }

  /** Reports the problem of a part when its work fails, and clears it when the work succeeds. */
  async function attempt(part: Part, signal: AbortSignal, work: () => Promise<void>): Promise<void> {
    try {
      await work();
      health.clearProblem(part);
    } catch (error) {
      if (!signal.aborted) health.reportProblem(part, error);
    }
  }

  /** Registers work outside the scheduled jobs; `stop` waits for it. */
  function track(work: Promise<unknown>): void {
    const tracked = work.finally(() => unscheduledWork.delete(tracked));
    unscheduledWork.add(tracked);
  }
}
