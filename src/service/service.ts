import { describeWorker } from '../directory/worker.ts';
import { type Clock, DAY_MS, type EpochMs, HOUR_MS, MINUTE_MS } from '../model/time.ts';
import { type SettingsChanges, settingsChanges } from '../settings/apply-reloadable.ts';
import type { Settings } from '../settings/schema.ts';
import { VERSION } from '../version.ts';
import { CrawlJob } from './crawl-job.ts';
import type { Crawler } from './crawler.ts';
import { CronJobs, type Job } from './cron-jobs.ts';
import { type Health, HealthRecord, type Part } from './health.ts';
import { isGuardError } from './publishing.ts';
import { SourceJob } from './source-job.ts';
import { Submissions } from './submissions.ts';

export interface ServiceOptions {
  now: () => EpochMs;
  clock: Clock;
  /** How long a submission waits for its visit, in milliseconds. Default: 15,000. */
  submissionAnswerMs?: number;
}

/** Upper bound of the backlog count, which runs on the crawl's thread. */
const MAX_COUNTED = 100_000;
const SUBMISSION_ANSWER_MS = 15_000;
/** Interval between checks for visits that other processes requested, and of the wall clock. */
const POLL_MS = 1_000;
/** A smaller change of the wall clock is no jump. */
const JUMP_MS = MINUTE_MS;
/** Nothing is deleted for this long after the clock jumped ahead, because the jump may be an error that is corrected later. */
const COMPACTION_PAUSE_MS = DAY_MS;

/** The crawler as a service: scheduled jobs read sources, visit due domains, export changes and delete old data. */
export class Service implements AsyncDisposable {
  /** The domains that visitors of the pages submit. */
  readonly submissions: Submissions;
  /** Resolves with the error that makes it impossible to continue; never rejects. */
  readonly broken: Promise<Error>;
  readonly #crawler: Crawler;
  readonly #now: () => EpochMs;
  readonly #clock: Clock;
  readonly #health: HealthRecord;
  readonly #reader;
  readonly #crawlJob: CrawlJob;
  readonly #sourceJob: SourceJob;
  readonly #cronJobs: CronJobs;
  readonly #drain = new AbortController();
  readonly #giveUp = new AbortController();
  /** Aborts at either kind of stop. */
  readonly #stopSignal = AbortSignal.any([this.#drain.signal, this.#giveUp.signal]);
  readonly #unscheduledWork = new Set<Promise<unknown>>();
  #isFirstPass = true;
  #newestVersionDueAt = Number.NEGATIVE_INFINITY;
  #compactionPausedUntil = Number.NEGATIVE_INFINITY;
  #stopping: Promise<void> | null = null;
  #poll: NodeJS.Timeout | undefined;
  /** Wall clock minus monotonic clock, at the last poll. */
  #clockOffset = 0;
  /** Since a jump of the clock, until the database could be written. */
  #mustBringForward = false;

  constructor(crawler: Crawler, { now, clock, submissionAnswerMs = SUBMISSION_ANSWER_MS }: ServiceOptions) {
    const { store, logger, hourlyLimit, thirdPartyLimits } = crawler;
    this.#crawler = crawler;
    this.#now = now;
    this.#clock = clock;
    this.#health = new HealthRecord({ version: VERSION, logger, now, clock });
    this.broken = this.#health.fatal;
    this.#reader = store.reader();
    this.#sourceJob = new SourceJob(crawler, this.#health, this.#stopSignal);
    this.submissions = new Submissions({
      ...{ store, hourlyLimit, thirdPartyLimits, answerWithinMs: submissionAnswerMs, now },
      wake: () => this.#wake(),
      isOffline: () => this.#crawlJob.isOffline,
    });
    this.#crawlJob = new CrawlJob({
      ...{ crawler, health: this.#health, clock, submissions: this.submissions },
      ...{ drain: this.#drain.signal, giveUp: this.#giveUp.signal },
    });
    const maxDelayMs = () => crawler.settings.jobs.maxDelaySeconds * 1_000;
    const job = (name: Exclude<keyof Settings['jobs'], 'maxDelaySeconds'>, run: Job['run'], more = {}): Job => ({
      ...{ name, cron: () => crawler.settings.jobs[name], run, ...more },
    });
    this.#cronJobs = new CronJobs(
      [
        job('crawl', () => this.#crawlThenExport(), { startsAtOnce: true }),
        job('files', () => this.#readFiles(), { startsAtOnce: true }),
        job('sources', async () => this.#sourceJob.readRemote(), { startsAtOnce: true, maxDelayMs }),
        job('export', (signal) => this.export(signal)),
        job('upkeep', (signal) => this.#upkeep(signal), { maxDelayMs }),
        job('health', async () => logger.info(this.health(), 'health')),
      ],
      (name, error) => logger.error({ err: error, job: name }, `the job ${name} failed because of a bug`),
    );
  }

  /**
   * Applies the opt-outs, reads the file sources and starts the jobs, unless the service is stopped meanwhile.
   *
   * @throws {OptOutError} when the opt-out file cannot be read.
   * @throws {SourceError} when a file source cannot be read.
   */
  async start(): Promise<void> {
    try {
      this.#bringForward();
      await this.#sourceJob.start();
    } catch (error) {
      if (this.#stopSignal.aborted) return;
      throw error;
    }
    if (this.#stopSignal.aborted) return;
    this.#cronJobs.start();
    this.#clockOffset = this.#now() - this.#clock();
    this.#poll = setInterval(() => {
      this.#checkClock();
      this.#crawlIfRequested();
    }, POLL_MS);
    this.#track(this.#readNewestVersion(this.#stopSignal));
  }

  /** Graceful stop: running visits finish and are recorded. Resolves when all work has ended. */
  stop(): Promise<void> {
    this.#stopping ??= (async () => {
      this.#health.setPhase('stopping');
      this.#drain.abort();
      clearInterval(this.#poll);
      this.submissions.abandon();
      await this.#cronJobs.stop();
      await Promise.all(this.#unscheduledWork);
      await this.#sourceJob.idle();
    })();
    return this.#stopping;
  }

  /** Immediate stop: running visits are abandoned and stay due. Call it after `stop`, or instead of it. */
  stopNow(): void {
    this.#drain.abort();
    this.#giveUp.abort();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#giveUp.abort();
    await this.stop();
    // Not in `stop`: the web server still reports the health of a stopped service.
    this.#reader[Symbol.dispose]();
    this.#health[Symbol.dispose]();
  }

  health(): Health {
    const reader = this.#reader;
    try {
      const backlog = reader.domains.backlog(this.#now(), MAX_COUNTED);
      return this.#health.read(backlog, reader.crawler.workers().map(describeWorker), reader.domains.refusing());
    } catch (error) {
      this.#health.reportProblem('database', error);
      return this.#health.read(null);
    }
  }

  /** Applies the settings that can change without a restart. */
  reload(settings: Settings): SettingsChanges {
    const changes = settingsChanges(this.#crawler.settings, settings);
    this.#crawler.applyReloadable(settings);
    const hasChanged = (prefix: string) => changes.applied.some((key) => key.startsWith(prefix));
    if (hasChanged('queue.') || hasChanged('cadence.')) this.#crawlJob.drainPass();
    if (hasChanged('sources') || hasChanged('optOut') || this.#health.hasProblem('sources'))
      this.#track(this.readSources());
    if (hasChanged('jobs.')) this.#cronJobs.reschedule();
    return changes;
  }

  /** Visits due domains; none while the opt-out file cannot be read. */
  async crawl() {
    return this.#sourceJob.isBlocked ? null : await this.#crawlJob.run();
  }

  /** The first complete pass is followed by an export at once. */
  async #crawlThenExport(): Promise<void> {
    const end = await this.crawl();
    if (!this.#isFirstPass || end !== 'done') return;
    this.#isFirstPass = false;
    this.#cronJobs.run('export');
  }

  /** Reads the sources that are due. */
  async readSources(): Promise<void> {
    await this.#readFiles();
    this.#sourceJob.readRemote();
    await this.#sourceJob.idle();
  }

  async #readFiles(): Promise<void> {
    await this.#sourceJob.readFiles();
    if (this.#sourceJob.isBlocked) this.#crawlJob.drainPass();
  }

  /** Exports; if nothing was recorded since the last export, within the hour, that changes nothing. */
  async export(signal: AbortSignal = this.#giveUp.signal): Promise<void> {
    const { logger, publishing } = this.#crawler;
    try {
      const report = await publishing.exportInBackground(signal);
      if (report === null) return;
      this.#health.recordExport();
      this.#health.clearProblem('export');
      if (!report.changed) return;
      const files = report.files.filter(({ changed }) => changed).map(({ name }) => name);
      if (report.damaged.length > 0)
        logger.warn({ files: report.damaged }, 'damaged dated files were removed: put them back from a backup');
      logger.info({ instances: report.counts.instances, domains: report.counts.domains, files }, 'export');
    } catch (error) {
      if (signal.aborted) return;
      if (isGuardError(error)) this.#health.recordRefusedExport();
      this.#health.reportProblem('export', error);
    }
  }

  async #upkeep(signal: AbortSignal): Promise<void> {
    await this.compact(signal);
    await this.#readNewestVersion(signal);
  }

  /** Deletes old data. */
  async compact(signal: AbortSignal = this.#giveUp.signal): Promise<void> {
    if (this.#clock() < this.#compactionPausedUntil) return;
    await this.#attempt('compaction', signal, async () => {
      const report = await this.#crawler.compactInBackground(signal);
      this.#health.recordCompaction();
      this.#crawler.logger.info(report, 'compaction');
    });
  }

  /** Fetches the newest release, about once a day. */
  async #readNewestVersion(signal: AbortSignal): Promise<void> {
    if (this.#clock() < this.#newestVersionDueAt) return;
    await this.#attempt('release', signal, async () => {
      const version = await this.#crawler.readNewestVersion(signal);
      // Half an hour less than a day, so that the hourly job a day later is not a moment too early.
      this.#newestVersionDueAt = this.#clock() + DAY_MS - HOUR_MS / 2;
      if (version !== null) this.#crawler.logger.info({ version }, 'newest release');
    });
  }

  /** Visits requested domains now: in the running pass, or in one that starts now. */
  #wake(): void {
    this.#crawler.wake();
    this.#cronJobs.run('crawl');
  }

  #crawlIfRequested(): void {
    try {
      // A running pass looks for them itself.
      if (this.#crawler.store.due.hasFirst(this.#now())) this.#cronJobs.run('crawl');
    } catch (error) {
      this.#health.reportProblem('database', error);
    }
  }

  /**
   * The timers of node-cron do not follow a wall clock that is set, as after the machine slept: set back by a day, no job would run for
   * a day.
   */
  #checkClock(): void {
    const jumpedBy = Math.round(this.#now() - this.#clock() - this.#clockOffset);
    this.#clockOffset += jumpedBy;
    if (Math.abs(jumpedBy) > JUMP_MS) {
      this.#crawler.logger.warn({ byMs: jumpedBy }, jumpedBy < 0 ? 'the clock went back' : 'the clock jumped ahead');
      this.#cronJobs.reschedule();
      this.#mustBringForward = true;
      if (jumpedBy > 0) this.#compactionPausedUntil = this.#clock() + COMPACTION_PAUSE_MS;
    }
    if (!this.#mustBringForward) return;
    const bringForward = async () => {
      this.#bringForward();
      this.#mustBringForward = false;
    };
    this.#track(this.#attempt('database', this.#stopSignal, bringForward));
  }

  #bringForward(): void {
    const count = this.#crawler.store.due.bringForward(this.#now());
    if (count > 0)
      this.#crawler.logger.warn(
        { domains: count },
        'the clock was ahead when these domains were visited or entered; their next visits are brought forward',
      );
  }

  /** Reports the problem of a part when its work fails, and clears it when the work succeeds. */
  async #attempt(part: Part, signal: AbortSignal, work: () => Promise<void>): Promise<void> {
    try {
      await work();
      this.#health.clearProblem(part);
    } catch (error) {
      if (!signal.aborted) this.#health.reportProblem(part, error);
    }
  }

  /** Registers work outside the scheduled jobs; `stop` waits for it. */
  #track(work: Promise<unknown>): void {
    const tracked = work.finally(() => this.#unscheduledWork.delete(tracked));
    this.#unscheduledWork.add(tracked);
  }
}
