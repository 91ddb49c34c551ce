import type { RunOutcome } from '../model/run-outcome.ts';
import { SourceError } from '../sources/source.ts';
import type { Crawler } from './crawler.ts';
import type { HealthRecord } from './health.ts';
import { OptOutError, type OptOutReport } from './opt-out-file.ts';
import { isGuardError } from './publishing.ts';
import type { SourceReport } from './sources/run-source.ts';
import type { SourceLane } from './sources/sources.ts';

export class SourceJob {
  readonly #crawler: Crawler;
  readonly #health: HealthRecord;
  readonly #stopSignal: AbortSignal;
  readonly #runs = new Set<Promise<void>>();
  /** The error message of each source that failed in its last run, by key. */
  readonly #failing = new Map<string, string>();
  /** The purge whose export the guard refused; the next accepted export publishes it. */
  #refusedPurge: number | null = null;
  /** True while the opt-out file cannot be read: no domain may be visited. */
  isBlocked = false;

  /** @param stopSignal aborts when the service stops. */
  constructor(crawler: Crawler, health: HealthRecord, stopSignal: AbortSignal) {
    this.#crawler = crawler;
    this.#health = health;
    this.#stopSignal = stopSignal;
  }

  /**
   * Applies the opt-out file, then reads the file sources.
   *
   * @throws {OptOutError} {SourceError} when one of them cannot be read.
   */
  async start(): Promise<void> {
    await this.#applyOptOuts();
    for (const report of await this.#crawler.sources.read('files', this.#stopSignal)) this.#log(report);
    this.#recallFailing();
  }

  /** Applies the opt-out file if it changed, and starts reading the local sources that are due. */
  async readFiles(): Promise<void> {
    if (this.#stopSignal.aborted) return;
    try {
      await this.#applyOptOuts();
      this.#health.clearProblem('opt-out');
      this.isBlocked = false;
    } catch (error) {
      if (!this.#stopSignal.aborted) this.#health.reportProblem('opt-out', error);
      this.isBlocked ||= error instanceof OptOutError;
    }
    this.#read('local');
  }

  /** Starts reading the remote sources that are due. */
  readRemote(): void {
    this.#read('remote');
  }

  /** Resolves when no source is being read. */
  async idle(): Promise<void> {
    await Promise.all(this.#runs);
  }

  async #applyOptOuts(): Promise<void> {
    const report = await this.#crawler.optOutFile.apply(this.#stopSignal);
    if (report !== null) this.#logOptOuts(report);
    await this.#publishPurge();
  }

  /** Exports after a purge, so that the exported files lose the purged names too. Another process may have died between its purge and its export. */
  async #publishPurge(): Promise<void> {
    const purge = this.#crawler.store.optOuts.unpublishedPurge();
    if (purge === null || purge === this.#refusedPurge) return;
    try {
      await this.#crawler.publishing.exportInBackground(this.#stopSignal);
    } catch (error) {
      if (!isGuardError(error)) throw error;
      this.#health.reportProblem('export', error);
      this.#refusedPurge = purge;
    }
  }

  #logOptOuts({ listed, forgotten, refused }: OptOutReport): void {
    const { logger } = this.#crawler;
    logger.info({ listed, forgotten }, 'opt-outs');
    if (refused.length > 0)
      logger.warn(
        { lines: refused },
        'some lines of the opt-out file do not clearly name hosts; nobody is opted out by them: write one name or URL per line',
      );
  }

  #read(lane: SourceLane): void {
    if (this.isBlocked || this.#stopSignal.aborted) return;
    const onReport = (report: SourceReport) => this.#onReport(report);
    const run = this.#crawler.sources
      .readLane(lane, 'due', this.#stopSignal, { onReport })
      .catch((error) => {
        // An unreadable file is already in its report.
        if (!(error instanceof SourceError)) this.#health.reportProblem('sources', error);
      })
      .then(() => void this.#runs.delete(run));
    this.#runs.add(run);
    if (this.#health.hasProblem('sources')) this.#reportFailing();
  }

  #onReport(report: SourceReport): void {
    this.#log(report);
    const { key, label, outcome, why } = report;
    if (isFailure(outcome)) this.#failing.set(key, why ?? `the source ${label} cannot be read`);
    else this.#failing.delete(key);
    this.#reportFailing();
  }

  #log(report: SourceReport): void {
    const { logger } = this.#crawler;
    const { label, outcome, why, lines, entered, known, merged, refused, queueFull, cappedByDomain, optedOut } = report;
    const counts = { lines, entered, known, merged, refused, queueFull, cappedByDomain, optedOut };
    const level = outcome === 'denied' ? 'error' : outcome === 'failed' || outcome === 'partial' ? 'warn' : 'info';
    logger[level]({ source: label, outcome, ...(why === null ? {} : { why }), ...counts }, 'source');
    const { shrunkFrom, accepted } = report;
    if (shrunkFrom !== null)
      logger.warn({ source: label, from: shrunkFrom, to: accepted }, 'a source lists far fewer domains than before');
  }

  /** A source that failed before the start is a problem until it works: its next run may be a day away. */
  #recallFailing(): void {
    using reader = this.#crawler.store.reader();
    for (const { key, lastRun } of reader.sources.all())
      if (lastRun?.why != null && isFailure(lastRun.outcome)) this.#failing.set(key, lastRun.why);
    this.#reportFailing();
  }

  #reportFailing(): void {
    const configured = new Set(this.#crawler.sources.keys());
    for (const key of this.#failing.keys()) if (!configured.has(key)) this.#failing.delete(key);
    const [first] = this.#failing.values();
    if (first === undefined) {
      this.#health.clearProblem('sources');
      return;
    }
    const others = this.#failing.size - 1;
    const suffix = others === 0 ? '' : ` (${others} more ${others === 1 ? 'source' : 'sources'} failed)`;
    this.#health.reportProblem('sources', new Error(first + suffix));
  }
}

function isFailure(outcome: RunOutcome | null): boolean {
  return outcome === 'failed' || outcome === 'denied';
}
