import { createArrivalBell } from './app.arrivals.ts';
import type { ReadSource } from './app.source-reading.ts';
import type { SourceReport } from './app.source-report.ts';
import type { Attempt, SourceStarter, WhichSources } from './app.source-starter.ts';
import type { Arrivals } from './crawl.parts.ts';
import type { SourceError } from './sources/source-error.ts';

/** The reading of all sources. */
export interface SourcesReading {
  /**
   * Resolves when what asks nobody has been read.
   *
   * @throws {SourceError} when a file cannot be read, once the other files were.
   */
  readonly near: Promise<void>;
  /** What the pass that goes on meanwhile is told of. */
  readonly arrivals: Arrivals;
  /**
   * What each came to, in the order of the settings, also of those that were ended early.
   *
   * @throws {SourceError} when a file cannot be read, once the others were.
   */
  readonly ended: Promise<SourceReport[]>;
}

type OnRead = (ending: Promise<ReadSource | null>) => Promise<void>;

/** Reads all sources: what asks nobody apart from what does, so that neither stands in the way of the other. */
export function readSources(
  starter: SourceStarter,
  which: WhichSources,
  signal: AbortSignal,
  onEntered: Attempt['onEntered'],
): SourcesReading {
  const reports = new Map<string, SourceReport>();
  const faults: { ofUs: unknown; ofFile: SourceError | null } = { ofUs: null, ofFile: null };
  const bell = createArrivalBell();
  const ring = (count: number) => {
    onEntered(count);
    bell.ring();
  };
  const onRead: OnRead = async (ending) => {
    try {
      const read = await ending;
      if (read === null) return;
      reports.set(read.report.key, read.report);
      if (read.report.type === 'file') faults.ofFile ??= read.error;
    } catch (error) {
      faults.ofUs ??= error;
    }
  };
  const lane = async (isFar: boolean) => {
    try {
      const attempt = { which, signal, isFar, done: new Set<string>(), onEntered: ring };
      await readAll(starter, attempt, onRead);
    } catch (error) {
      faults.ofUs ??= error;
    }
  };
  const nearLane = lane(false);
  const farLane = lane(true);
  const near = nearLane.then(() => {
    if (faults.ofFile !== null) throw faults.ofFile;
  });
  const end = async () => {
    await Promise.all([nearLane, farLane]);
    bell.end();
    if (faults.ofUs !== null) throw faults.ofUs;
    if (faults.ofFile !== null) throw faults.ofFile;
    return starter.list().flatMap(({ source }) => reports.get(source.key) ?? []);
  };
  const ended = end();
  // Who opened it may wait for one of them alone, or still be crawling.
  near.catch(() => undefined);
  ended.catch(() => undefined);
  return { near, arrivals: bell, ended };
}

/** Reads all that asks nobody, or all that does; `onRead` is told of each. */
async function readAll(
  starter: SourceStarter,
  attempt: Attempt & { done: Set<string> },
  onRead: OnRead,
): Promise<void> {
  const { done, signal } = attempt;
  const running = new Set<Promise<void>>();
  for (;;) {
    const freed = starter.freed();
    // What somebody else began is read, and has its turn with that.
    for (const key of starter.reading()) done.add(key);
    const { begun, waiting, unasked } = await starter.startSome(attempt);
    for (const [key, ending] of begun) {
      done.add(key);
      const collecting = onRead(ending).finally(() => running.delete(collecting));
      running.add(collecting);
    }
    for (const report of unasked) {
      done.add(report.key);
      await onRead(Promise.resolve({ report, error: null }));
    }
    if (running.size === 0 && (waiting === 0 || signal.aborted)) return;
    await Promise.race([...running, ...(waiting > 0 ? [freed] : [])]);
  }
}
