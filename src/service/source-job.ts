import type { RunOutcome } from '../model/run-outcome.ts';
import { SourceError } from '../sources/source-error.ts';
import type { Crawler } from './crawler.ts';
import type { HealthRecord } from './health.ts';
import { OptOutError, type OptOutReport } from './opt-out-file.ts';
import { isGuardError } from './publishing.ts';
import type { SourceReport } from './sources/run-source.ts';
import type { SourceLane } from './sources/sources.ts';

export interface SourceJobOptions {
  app: Crawler;
  health: HealthRecord;
  /** Aborts when the service stops. */
  stopSignal: AbortSignal;
}

/** Reads the opt-out file and the sources for the service. */
export function createSourceJob({ app, health, stopSignal }: SourceJobOptions) {
  const { logger } = app;
  const runs = new Set<Promise<void>>();
  /** The error message of each source that failed in its last run, by key. */
  const failing = new Map<string, string>();
  /** The purge whose export the guard refused; the next accepted export publishes it. */
  let refusedPurge: number | null = null;
  let isBlocked = false;

  return {
    /**
     * Applies the opt-out file, then reads the file sources.
     *
     * @throws {OptOutError} {SourceError} when one of them cannot be read.
     */
    async start(): Promise<void> {
      await applyOptOuts();
      for (const report of await app.sources.read('files', stopSignal)) log(report);
      recallFailing();
    },

    /** Applies the opt-out file if it changed, and starts reading the local sources that are due. */
    async readFiles(): Promise<void> {
      if (stopSignal.aborted) return;
      try {
        await applyOptOuts();
        health.clearProblem('opt-out');
        isBlocked = false;
      } catch (error) {
        if (!stopSignal.aborted) health.reportProblem('opt-out', error);
        isBlocked ||= error instanceof OptOutError;
      }
      read('local');
    },

    /** Starts reading the remote sources that are due. */
    readRemote: () => read('remote'),

    /** True while the opt-out file cannot be read: no domain may be visited. */
    isBlocked: () => isBlocked,

    /** Resolves when no source is being read. */
    async idle(): Promise<void> {
      await Promise.all(runs);
    },
  };

  async function applyOptOuts(): Promise<void> {
    const report = await app.applyOptOuts(stopSignal);
    if (report !== null) logOptOuts(report);
    await publishPurge();
  }

  /** Exports after a purge, so that the exported files lose the purged names too. Another process may have died between its purge and its export. */
  async function publishPurge(): Promise<void> {
    const purge = app.store.unpublishedPurge();
    if (purge === null || purge === refusedPurge) return;
    try {
      await app.exportInBackground(stopSignal);
    } catch (error) {
      if (!isGuardError(error)) throw error;
      health.reportProblem('export', error);
      refusedPurge = purge;
    }
  }

  function logOptOuts({ listed, forgotten, refused }: OptOutReport): void {
    logger.info({ listed, forgotten }, 'opt-outs');
    if (refused.length > 0)
      logger.warn(
        { lines: refused },
        'some lines of the opt-out file do not clearly name hosts; nobody is opted out by them: write one name or URL per line',
      );
  }

  function read(lane: SourceLane): void {
    if (isBlocked || stopSignal.aborted) return;
    const run = app.sources
      .readLane(lane, 'due', stopSignal, { onReport })
      .catch((error) => {
        // An unreadable file is already in its report.
        if (!(error instanceof SourceError)) health.reportProblem('sources', error);
      })
      .then(() => void runs.delete(run));
    runs.add(run);
    if (health.hasProblem('sources')) reportFailing();
  }

  function onReport(report: SourceReport): void {
    log(report);
    const { key, label, outcome, why } = report;
    if (isFailure(outcome)) failing.set(key, why ?? `the source ${label} cannot be read`);
    else failing.delete(key);
    reportFailing();
  }

  function log(report: SourceReport): void {
    const { label, outcome, why, lines, entered, known, merged, refused, queueFull, cappedByDomain, optedOut } = report;
    const counts = { lines, entered, known, merged, refused, queueFull, cappedByDomain, optedOut };
    const level = outcome === 'denied' ? 'error' : outcome === 'failed' || outcome === 'partial' ? 'warn' : 'info';
    logger[level]({ source: label, outcome, ...(why === null ? {} : { why }), ...counts }, 'source');
    const { shrunkFrom, accepted } = report;
    if (shrunkFrom !== null)
      logger.warn({ source: label, from: shrunkFrom, to: accepted }, 'a source lists far fewer domains than before');
  }

  /** A source that failed before the start is a problem until it works: its next run may be a day away. */
  function recallFailing(): void {
    using reader = app.store.reader();
    for (const { key, lastRun } of reader.sourceStates())
      if (lastRun?.why != null && isFailure(lastRun.outcome)) failing.set(key, lastRun.why);
    reportFailing();
  }

  function reportFailing(): void {
    const configured = new Set(app.sources.keys());
    for (const key of failing.keys()) if (!configured.has(key)) failing.delete(key);
    const [first] = failing.values();
    if (first === undefined) health.clearProblem('sources');
    else {
      const others = failing.size - 1;
      const suffix = others === 0 ? '' : ` (${others} more ${others === 1 ? 'source' : 'sources'} failed)`;
      health.reportProblem('sources', new Error(first + suffix));
    }
  }
}

function isFailure(outcome: RunOutcome | null): boolean {
  return outcome === 'failed' || outcome === 'denied';
}
