import { SourceError } from '../sources/source-error.ts';
import type { Crawler } from './crawler.ts';
import type { HealthRecord } from './health.ts';
import { OptOutError } from './opt-out-file.ts';
import { isKeptBack } from './publishing.ts';
import type { SourceReport } from './sources/run-source.ts';
import type { SourceLane } from './sources/sources.ts';

export interface IntakeParts {
  app: Crawler;
  health: HealthRecord;
  /** Aborts when the service is to end. */
  ending: AbortSignal;
}

/** What the service takes in: opt-outs, and the domains of its sources. */
export interface Intake {
  /**
   * Applies the opt-out file, then reads the file sources.
   *
   * @throws {OptOutError} {SourceError} when one of them cannot be read.
   */
  begin(): Promise<void>;
  /** Applies the opt-out file if it changed, and begins to read the local sources that are due. */
  readFiles(): Promise<void>;
  /** Begins to read the remote sources that are due. */
  readRemote(): void;
  /** Whether no domain may be visited, since the opt-out file cannot be read. */
  isHeld(): boolean;
  /** Resolves when no source is being read. */
  ended(): Promise<void>;
}

export function createIntake({ app, health, ending }: IntakeParts): Intake {
  const { logger } = app;
  const readings = new Set<Promise<void>>();
  /** Why each source that cannot be read just now cannot, by key. */
  const failing = new Map<string, string>();
  /** The purge that the guard kept from being published: from then on it waits for any export that is published. */
  let keptBack: number | null = null;
  let isHeld = false;

  async function optOut(): Promise<void> {
    const report = await app.applyOptOuts(ending);
    if (report !== null) tellOptOuts(report);
    await publishPurge();
  }

  /** Also what another process purged that died before it could publish that. */
  async function publishPurge(): Promise<void> {
    const purge = app.store.unpublishedPurge();
    if (purge === null || purge === keptBack || app.store.isRedactionDue()) return;
    try {
      await app.exportInBackground(ending);
    } catch (error) {
      if (!isKeptBack(error)) throw error;
      health.failed('export', error);
      keptBack = purge;
    }
  }

  function tellOptOuts({
    listed,
    forgotten,
    untidy,
    refused,
  }: NonNullable<Awaited<ReturnType<Crawler['applyOptOuts']>>>): void {
    logger.info({ listed, forgotten }, 'opt-outs');
    if (untidy.length > 0)
      logger.warn(
        { lines: untidy },
        'lines of the opt-out file are not one plain domain: what can be read as one was taken',
      );
    if (refused.length > 0) logger.warn({ lines: refused }, 'lines of the opt-out file name no domain');
  }

  function tell(report: SourceReport): void {
    const {
      label,
      outcome,
      why,
      lines,
      entered,
      known,
      merged,
      refused,
      queueFull,
      cappedByDomain,
      optedOut,
      shrunkFrom,
    } = report;
    const counts = { lines, entered, known, merged, refused, queueFull, cappedByDomain, optedOut };
    const level = outcome === 'failed' || outcome === 'partial' ? 'warn' : 'info';
    logger[level]({ source: label, outcome, ...(why === null ? {} : { why }), ...counts }, 'source');
    if (shrunkFrom !== null)
      logger.warn(
        { source: label, from: shrunkFrom, to: report.accepted },
        'a source lists far fewer domains than before',
      );
  }

  function note(key: string, why: string | null): void {
    if (why === null) failing.delete(key);
    else failing.set(key, why);
    tellFailing();
  }

  function tellFailing(): void {
    const known = new Set(app.sources.keys());
    for (const key of failing.keys()) if (!known.has(key)) failing.delete(key);
    const [first] = failing.values();
    if (first === undefined) health.works('sources');
    else
      health.failed(
        'sources',
        new Error(failing.size === 1 ? first : `${first} And ${failing.size - 1} more sources.`),
      );
  }

  function onReport(report: SourceReport): void {
    tell(report);
    const { key, label, outcome, why } = report;
    note(key, outcome === 'failed' ? (why ?? `the source ${label} cannot be read`) : null);
  }

  function read(lane: SourceLane): void {
    if (isHeld || ending.aborted) return;
    const reading = app.sources
      .readLane(lane, 'due', ending, { onReport })
      .catch((error) => {
        // A file that cannot be read is in its report.
        if (!(error instanceof SourceError)) health.failed('sources', error);
      })
      .then(() => void readings.delete(reading));
    readings.add(reading);
    if (health.hasFailed('sources')) tellFailing();
  }

  return {
    async begin() {
      await optOut();
      for (const report of await app.sources.read('files', ending)) tell(report);
    },

    async readFiles() {
      if (ending.aborted) return;
      try {
        await optOut();
        health.works('opt-out');
        isHeld = false;
      } catch (error) {
        if (!ending.aborted) health.failed('opt-out', error);
        isHeld ||= error instanceof OptOutError;
      }
      read('local');
    },

    readRemote: () => read('remote'),

    isHeld: () => isHeld,

    async ended() {
      await Promise.all(readings);
    },
  };
}
