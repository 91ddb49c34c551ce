import type { ReadSource } from './app.source-reading.ts';
import { readSources, type SourcesReading } from './app.source-readings.ts';
import type { SourceReport } from './app.source-report.ts';
import { createSourceStarter, type SourcesParts, type WhichSources } from './app.source-starter.ts';

export type { WhichSources } from './app.source-starter.ts';

/** The sources of the settings in force. */
export interface Sources {
  /** Of those that are switched on. */
  keys(): string[];
  /**
   * Begins to read those that are due and not yet being read, as many as may be read at a time, and answers how each ends. None of
   * other people's servers is asked while we are offline, which is noted. The signal ends them early, with what was read until then.
   */
  begin(which: WhichSources, signal: AbortSignal): Promise<Promise<SourceReport | null>[]>;
  /** Begins to read them all, what asks nobody apart from the rest; `onEntered` is told how many new domains have come in. */
  open(which: WhichSources, signal: AbortSignal, onEntered?: (count: number) => void): SourcesReading;
  /**
   * Reads them all, and waits for it.
   *
   * @throws {SourceError} when a file cannot be read, once the others were.
   */
  read(which: WhichSources, signal: AbortSignal): Promise<SourceReport[]>;
}

export function createSources(parts: SourcesParts): Sources {
  const starter = createSourceStarter(parts);
  const open: Sources['open'] = (which, signal, onEntered = () => undefined) =>
    readSources(starter, which, signal, onEntered);

  return {
    keys: () => starter.list().map(({ source }) => source.key),

    async begin(which, signal) {
      const endings: Promise<ReadSource | null>[] = [];
      // What asks nobody does not wait until it is known whether somebody can be asked.
      for (const isFar of [false, true]) {
        const attempt = { which, signal, isFar, done: new Set<string>(), onEntered: () => undefined };
        endings.push(...(await starter.startSome(attempt)).begun.values());
      }
      return endings.map(async (ending) => (await ending)?.report ?? null);
    },

    open,

    async read(which, signal) {
      const reports = await open(which, signal).ended;
      signal.throwIfAborted();
      return reports;
    },
  };
}
