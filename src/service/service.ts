import { type SettingsChanges, settingsChanges } from '../settings/apply-reloadable.ts';
import type { Settings } from '../settings/schema.ts';
import { retryWhileLocked } from '../store/sqlite/retry-while-locked.ts';
import { VERSION } from '../version.ts';
import { createCrawling } from './crawl-job.ts';
import type { Crawler } from './crawler.ts';
import { createHealthRecord, type Health, type Part } from './health.ts';
import { createScheduler, type Job } from './scheduler.ts';
import { createIntake } from './source-job.ts';

/** What keeps the picture true: due domains are visited, exports follow changes, what is too old is thrown away. */
export interface Service extends AsyncDisposable {
  /** Begins; throws when it cannot even begin. Stopped meanwhile, it ends without having begun. */
  start(): Promise<void>;
  /** Ends in good order: visits that run are finished and recorded. Resolves when nothing of it is left. */
  stop(): Promise<void>;
  /** Ends at once: visits that run are given up and stay due. To be called after `stop`, or in its place. */
  stopNow(): void;
  /** Resolves when it cannot go on, with why; never otherwise. */
  readonly broken: Promise<Error>;
  health(): Health;
  /** Takes on new settings as far as that can be done while it runs. */
  reload(settings: Settings): SettingsChanges;
  /** The jobs, for a caller with a clock of its own. */
  readonly jobs: Record<'crawl' | 'export' | 'compact' | 'sources', () => Promise<void>>;
}

export interface ServiceOptions {
  app: Crawler;
  /** Milliseconds since the epoch. */
  now: () => number;
  /** Monotonic, in milliseconds. */
  clock: () => number;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** A backlog is counted no further: it is asked for on the thread of the crawl. */
const MOST_COUNTED = 100_000;
/** For so long after the clock jumped ahead nothing is thrown away: it may be set back. */
const DOUBT_MS = DAY_MS;

export function createService({ app, now, clock }: ServiceOptions): Service {
  const { store, logger } = app;
  const health = createHealthRecord({ version: VERSION, logger, now, clock });
  const drain = new AbortController();
  const giveUp = new AbortController();
  const reader = store.reader();
  const signals = { drain: drain.signal, giveUp: giveUp.signal };
  /** Aborts with the first of the two. */
  const ending = AbortSignal.any([drain.signal, giveUp.signal]);
  const asides = new Set<Promise<unknown>>();
  const crawling = createCrawling({ app, health, clock, ...signals });
  const intake = createIntake({ app, health, ending });
  let isFirstPass = true;
  /** The last visit and the last change of the export that was published last. */
  let exported: string | null = null;
  let releaseDueAt = Number.NEGATIVE_INFINITY;
  let doubtedUntil = Number.NEGATIVE_INFINITY;

  /** Runs work that may fail for a passing reason, and reports how it went. */
  async function attempt(part: Part, signal: AbortSignal, work: () => Promise<void>): Promise<void> {
    try {
      await work();
      health.works(part);
    } catch (error) {
      if (!signal.aborted) health.failed(part, error);
    }
  }

  /** Work outside the jobs; stopping waits for it. */
  function track(work: Promise<unknown>): void {
    const aside = work.finally(() => asides.delete(aside));
    asides.add(aside);
  }

  async function compact(signal: AbortSignal = giveUp.signal): Promise<void> {
    if (clock() < doubtedUntil) return;
    await attempt('compaction', signal, async () => {
      const report = await app.compactInBackground(signal);
      health.compacted();
      logger.info(report, 'compaction');
    });
  }

  /** Exports, if anything was recorded since the last export that was published. */
  async function exportChanges(signal: AbortSignal): Promise<void> {
    try {
      const recorded = `${reader.lastVisitId()} ${reader.lastChangeId()}`;
      if (recorded === exported) return;
      const report = await app.exportInBackground(signal);
      if (report === null) return;
      exported = recorded;
      health.exported();
      health.works('export');
      const files = report.files.filter(({ changed }) => changed).map(({ name }) => name);
      logger.info({ instances: report.counts.instances, domains: report.counts.domains, files }, 'export');
    } catch (error) {
      if (!signal.aborted) health.failed('export', error);
    }
  }

  /** Asks for the newest release, at most once a day. */
  async function readRelease(signal: AbortSignal): Promise<void> {
    if (clock() < releaseDueAt) return;
    await attempt('release', signal, async () => {
      const version = await app.readRelease(signal);
      releaseDueAt = clock() + DAY_MS - HOUR_MS / 2;
      if (version !== null) logger.info({ version }, 'newest release');
    });
  }

  async function readSources(): Promise<void> {
    await intake.readFiles();
    intake.readRemote();
  }

  async function upkeep(signal: AbortSignal): Promise<void> {
    await compact(signal);
    await readRelease(signal);
  }

  /** While the opt-out file cannot be read, no host is visited. */
  const crawlDue = async () => (intake.isHeld() ? null : await crawling.crawlDue());

  /** After the first pass the datasets are exported at once. */
  async function crawlThenExport(): Promise<void> {
    const end = await crawlDue();
    if (!isFirstPass || end !== 'done') return;
    isFirstPass = false;
    scheduler.run('export');
  }

  async function repairFutureTimestamps(signal: AbortSignal): Promise<void> {
    const count = await retryWhileLocked(() => store.repairFutureTimestamps(now()), { signal });
    if (count > 0)
      logger.warn({ domains: count }, 'the clock was ahead at their last visits; the next ones are put back');
  }

  const maxDelayMs = () => app.settings.jobs.maxDelaySeconds * 1_000;
  const job = (
    name: Exclude<keyof Settings['jobs'], 'maxDelaySeconds'>,
    run: Job['run'],
    more: Partial<Job> = {},
  ): Job => ({
    name,
    cron: () => app.settings.jobs[name],
    run,
    ...more,
  });
  const jobs: Job[] = [
    job('crawl', crawlThenExport, { startsAtOnce: true }),
    job('files', intake.readFiles, { startsAtOnce: true }),
    job('sources', async () => intake.readRemote(), { startsAtOnce: true, maxDelayMs }),
    job('export', exportChanges),
    job('upkeep', upkeep, { maxDelayMs }),
    job('health', async () => logger.info(read(), 'health')),
  ];
  const scheduler = createScheduler({
    jobs,
    now,
    clock,
    onError: (name, error) => logger.error({ err: error, job: name }, `the job ${name} broke on a bug of ours`),
    onClockJump: (byMs) => {
      logger.warn({ byMs }, byMs < 0 ? 'the clock went back' : 'the clock jumped ahead');
      if (byMs < 0) track(attempt('database', ending, () => repairFutureTimestamps(ending)));
      else doubtedUntil = clock() + DOUBT_MS;
    },
  });

  function read(): Health {
    try {
      return health.read(reader.backlog(now(), MOST_COUNTED));
    } catch (error) {
      health.failed('database', error);
      return health.read(null);
    }
  }

  let stopping: Promise<void> | null = null;
  const stop = (): Promise<void> => {
    stopping ??= (async () => {
      health.setPhase('stopping');
      drain.abort();
      await scheduler.stop();
      await Promise.all(asides);
      await intake.ended();
      reader[Symbol.dispose]();
      health[Symbol.dispose]();
    })();
    return stopping;
  };

  return {
    async start() {
      try {
        await repairFutureTimestamps(ending);
        await intake.begin();
      } catch (error) {
        if (ending.aborted) return;
        throw error;
      }
      if (ending.aborted) return;
      scheduler.start();
      track(readRelease(ending));
    },
    stop,
    stopNow() {
      drain.abort();
      giveUp.abort();
    },
    broken: health.fatal,
    health: read,
    reload(settings) {
      const changes = settingsChanges(app.settings, settings);
      app.takeOn(settings);
      if (changes.takenOn.some((key) => key.startsWith('queue.'))) crawling.beginAnew();
      const isNews = changes.takenOn.some((key) => key === 'sources' || key.startsWith('optOut'));
      if (isNews || health.hasFailed('sources')) track(readSources());
      if (changes.takenOn.some((key) => key.startsWith('jobs.'))) scheduler.reschedule();
      return changes;
    },
    jobs: {
      async crawl() {
        await crawlDue();
      },
      export: () => exportChanges(giveUp.signal),
      compact,
      async sources() {
        await readSources();
        await intake.ended();
      },
    },
    async [Symbol.asyncDispose]() {
      giveUp.abort();
      await stop();
    },
  };
}
