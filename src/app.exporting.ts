import type { HealthRecord } from './app.health.ts';
import { createRetry } from './app.retry.ts';
import type { Trouble } from './app.trouble.ts';
import type { App } from './app.ts';
import type { StoreReader } from './store/store-reader.ts';

export interface ExportingParts {
  app: App;
  reader: StoreReader;
  health: HealthRecord;
  trouble: Trouble;
  /** Monotonic, in milliseconds. */
  clock: () => number;
}

/** What the service publishes follows what is recorded, at most every `export.minMinutes`. */
export function createExporting(parts: ExportingParts): { exportChanges(signal: AbortSignal): Promise<void> } {
  const { app, reader, health, trouble, clock } = parts;
  const retry = createRetry(clock);
  /** What had been recorded when the last export began; null: there was none yet. */
  const last: { recorded: string | null; at: number } = { recorded: null, at: Number.NEGATIVE_INFINITY };

  return {
    async exportChanges(signal) {
      if (clock() < last.at + app.settings.export.minMinutes * 60_000 || !retry.isDue()) return;
      try {
        const recorded = `${reader.lastVisitId()} ${reader.lastChangeId()}`;
        if (recorded === last.recorded) return;
        const report = await app.exportInBackground(signal);
        if (report === null) return;
        last.recorded = recorded;
        last.at = clock();
        retry.succeeded();
        health.exported();
        trouble.works('export');
        const files = report.files.filter(({ changed }) => changed).map(({ name }) => name);
        app.logger.info({ instances: report.counts.instances, domains: report.counts.domains, files }, 'export');
      } catch (error) {
        if (signal.aborted) return;
        trouble.failed('export', error);
        // All of it would be staged again, and mostly be kept back again: no sooner than an export that was published.
        if (isKeptBack(error)) last.at = clock();
        else retry.failed();
      }
    },
  };
}

/** The error comes from a thread, where it has lost its class but not its name. */
export function isKeptBack(error: unknown): boolean {
  return error instanceof Error && error.name === 'GuardError';
}
