import type { HealthRecord } from './app.health.ts';
import type { Trouble } from './app.trouble.ts';
import type { App } from './app.ts';
import type { StoreReader } from './store/store-reader.ts';

export interface ExportingParts {
  app: App;
  reader: StoreReader;
  health: HealthRecord;
  trouble: Trouble;
}

/** Exports, if anything was recorded since the last export that was published. */
export function createExporting({ app, reader, health, trouble }: ExportingParts): {
  exportChanges(signal: AbortSignal): Promise<void>;
} {
  let exported: string | null = null;

  return {
    async exportChanges(signal) {
      try {
        const recorded = `${reader.lastVisitId()} ${reader.lastChangeId()}`;
        if (recorded === exported) return;
        const report = await app.exportInBackground(signal);
        if (report === null) return;
        exported = recorded;
        health.exported();
        trouble.works('export');
        const files = report.files.filter(({ changed }) => changed).map(({ name }) => name);
        app.logger.info({ instances: report.counts.instances, domains: report.counts.domains, files }, 'export');
      } catch (error) {
        if (!signal.aborted) trouble.failed('export', error);
      }
    },
  };
}

/** The error comes from a thread, where it has lost its class but not its name. */
export function isKeptBack(error: unknown): boolean {
  return error instanceof Error && error.name === 'GuardError';
}
