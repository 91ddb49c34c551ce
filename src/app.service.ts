import { createCrawling } from './app.crawling.ts';
import { createExporting } from './app.exporting.ts';
import { createHealthRecord, type Health, type Part } from './app.health.ts';
import { createIntake } from './app.intake.ts';
import { createTrouble } from './app.trouble.ts';
import type { App } from './app.ts';
import { createScheduler, type Job } from './schedule/scheduler.ts';
import { type SettingsChanges, settingsChanges } from './settings.changes.ts';
import type { Settings } from './settings.schema.ts';
import { retryWhileLocked } from './store/retry-while-locked.ts';
import { VERSION } from './version.ts';

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
  /** The jobs, for who brings a clock of their own. */
  readonly jobs: Record<'crawl' | 'export' | 'compact' | 'sources', () => Promise<void>>;
}

export interface ServiceOptions {
  app: App;
  /** Milliseconds since the epoch. */
  now: () => number;
  /** Monotonic, in milliseconds. */
  clock: () => number;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const EXPORT_CHECK_SECONDS = 3;
/** How often it is looked which sources are due, and whether the opt-out file changed. */
const SOURCES_CHECK_SECONDS = 10;
/** A backlog is counted no further: it is asked for on the thread of the crawl. */
const MOST_COUNTED = 100_000;
/** For so long after the clock jumped ahead nothing is thrown away: it may not stay there. */
const DOUBT_MS = DAY_MS;

export function createService({ app, now, clock }: ServiceOptions): Service {
  const { store, logger } = app;
  const health = createHealthRecord({ version: VERSION, now, clock });
  const trouble = createTrouble({ health, logger });
  const drain = new AbortController();
  const giveUp = new AbortController();
  const reader = store.reader();
  const signals = { drain: drain.signal, giveUp: giveUp.signal };
  /** Aborts with the first of the two. */
  const ending = AbortSignal.any([drain.signal, giveUp.signal]);
  /** What was begun beside the jobs and has not ended. */
  const asides = new Set<Promise<boolean>>();
  const crawling = createCrawling({ app, health, trouble, clock, ...signals });
  const intake = createIntake({ app, health, trouble, ending });
  const exporting = createExporting({ app, reader, health, trouble, clock });
  let doubtedUntil = Number.NEGATIVE_INFINITY;

  /** Runs what may fail for reasons that a later attempt does not meet; answers whether it did not. */
  async function attempt(part: Part, signal: AbortSignal, work: () => Promise<void>): Promise<boolean> {
    try {
      await work();
      trouble.works(part);
      return true;
    } catch (error) {
      if (!signal.aborted) trouble.failed(part, error);
      return false;
    }
  }

  /** Begins what is no job; it ends early when the service is to stop, which waits for it. */
  function begin(part: Part, work: (signal: AbortSignal) => Promise<void>): void {
    const aside = attempt(part, ending, () => work(ending)).finally(() => asides.delete(aside));
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

  async function noteRelease(signal: AbortSignal): Promise<void> {
    const version = await app.readRelease(signal);
    if (version !== null) logger.info({ version }, 'newest release');
  }

  async function putBack(signal: AbortSignal): Promise<void> {
    const count = await retryWhileLocked(() => store.putBack(now()), { signal });
    if (count > 0)
      logger.warn({ domains: count }, 'the clock was ahead at their last visits; the next ones are put back');
  }

  /** Once a day; after a failure, once an hour. */
  function daily(part: Part, work: (signal: AbortSignal) => Promise<void>): Job {
    let dueAt = clock();
    return {
      name: part,
      every: HOUR_MS / 1_000,
      startsAtOnce: true,
      run: async (signal) => {
        if (clock() < dueAt - HOUR_MS / 2) return;
        if (await attempt(part, signal, () => work(signal))) dueAt = clock() + DAY_MS;
      },
    };
  }

  /** While it cannot be read who must not be visited, nobody is. */
  const crawlDue = async () => {
    if (!intake.isHeld()) await crawling.crawlDue();
  };

  const { service } = app.settings;
  const jobs: Job[] = [
    { name: 'crawl', every: service.tickSeconds, startsAtOnce: true, run: crawlDue },
    { name: 'export', every: EXPORT_CHECK_SECONDS, run: exporting.exportChanges },
    { name: 'compact', every: HOUR_MS / 1_000, run: compact },
    { name: 'sources', every: SOURCES_CHECK_SECONDS, startsAtOnce: true, run: intake.goOn },
    daily('release', noteRelease),
    { name: 'health', every: Math.ceil(service.healthMinutes * 60), run: async () => logger.info(read(), 'health') },
  ];
  const scheduler = createScheduler({
    jobs,
    now,
    clock,
    onError: (name, error) => logger.error({ err: error, job: name }, `the job ${name} broke on a bug of ours`),
    onClockJump: (byMs) => {
      logger.warn({ byMs }, byMs < 0 ? 'the clock went back' : 'the clock jumped ahead');
      if (byMs < 0) begin('database', putBack);
      else doubtedUntil = clock() + DOUBT_MS;
    },
  });

  function read(): Health {
    try {
      return health.read(reader.backlog(now(), MOST_COUNTED));
    } catch (error) {
      trouble.failed('database', error);
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
        await putBack(ending);
        await intake.begin();
      } catch (error) {
        if (ending.aborted) return;
        throw error;
      }
      if (!ending.aborted) scheduler.start();
    },
    stop,
    stopNow() {
      drain.abort();
      giveUp.abort();
    },
    broken: trouble.fatal,
    health: read,
    reload(settings) {
      const changes = settingsChanges(app.settings, settings);
      app.takeOn(settings);
      if (changes.takenOn.some((key) => key.startsWith('queue.'))) crawling.beginAnew();
      const isNews = changes.takenOn.some((key) => key === 'sources' || key.startsWith('optOut'));
      if (isNews || health.has('sources')) begin('sources', intake.goOn);
      return changes;
    },
    jobs: {
      crawl: crawlDue,
      export: () => exporting.exportChanges(giveUp.signal),
      compact,
      async sources() {
        await intake.goOn();
        await intake.ended();
      },
    },
    async [Symbol.asyncDispose]() {
      giveUp.abort();
      await stop();
    },
  };
}
