import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { ExportReport } from '../../export/export-all.ts';
import type { Domain } from '../../model/domain/domain.ts';
import { openStore } from '../../store/open-store.ts';
import { type CompactionReport, compact, type Retention } from '../../store/retention/compact.ts';
import { retryWhileLocked } from '../../store/sqlite/retry-while-locked.ts';
import type { ExportInput } from './write-datasets.ts';

/** Work outside the crawl's thread; each task opens the database for itself and closes it. */
export const tasks = {
  // The modules of an export are loaded with the first one, so that a long list is read without them in memory.
  async export(input: ExportInput, signal: AbortSignal): Promise<ExportReport> {
    const { writeDatasets } = await import('./write-datasets.ts');
    return await writeDatasets(input, signal);
  },

  /** Opts domains out and purges them; rewriting the database takes its time. */
  async forget(
    input: { database: string; domains: readonly Domain[]; at: number },
    signal: AbortSignal,
  ): Promise<null> {
    await using store = await openStore({ path: input.database });
    await retryWhileLocked(() => store.forget(input.domains, input.at), { signal });
    return null;
  },

  /** Also scrubs the file where a purge could not. */
  async compact(
    input: { database: string; at: number; retention: Retention },
    signal: AbortSignal,
  ): Promise<CompactionReport> {
    const { database, at, retention } = input;
    const report = await compact({ path: database, at, retention, signal });
    if (report.end === 'done') await tasks.forget({ database, domains: [], at }, signal);
    return report;
  },
};

export type Tasks = typeof tasks;
type Outputs = { [Name in keyof Tasks]: Awaited<ReturnType<Tasks[Name]>> };

/** Runs a task, which ends early, with an AbortError, when the signal aborts. */
export type RunInBackground = <Name extends keyof Tasks>(
  name: Name,
  input: Parameters<Tasks[Name]>[0],
  signal: AbortSignal,
) => Promise<Outputs[Name]>;

/** Runs a task on this thread, where there is no crawl to hold up. */
export const runHere: RunInBackground = async (name, input, signal) =>
  (await tasks[name](input as never, signal)) as never;

/** What the thread of a task says: how it ended. */
export type TaskMessage =
  | { end: 'done'; output: unknown }
  | { end: 'failed'; message: string; name: string; kind: string | undefined; stack: string | undefined };

/** A task broke on its thread; message and `kind` are those of the error there. */
export class BackgroundError extends Error {
  override readonly name: string;
  readonly kind: string | undefined;

  constructor({ message, name, kind, stack }: Extract<TaskMessage, { end: 'failed' }>) {
    super(message);
    this.name = name;
    this.kind = kind;
    if (stack !== undefined) this.stack = stack;
  }
}

/** Runs each task on a thread of its own, which ends with it: the crawl is not held up, and memory is given back. */
export const runOnThread: RunInBackground = (name, input, signal) =>
  new Promise((resolve, reject) => {
    // Source runs as .ts, what is published as .js.
    const script = new URL(`./thread${extname(import.meta.url)}`, import.meta.url);
    const worker = new Worker(script, { workerData: { name, input }, name: `loopscout ${name}` });
    const onAbort = () => worker.postMessage('abort');
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) onAbort();
    let ending: TaskMessage | null = null;
    worker.on('message', (message: TaskMessage) => {
      ending = message;
    });
    worker.on('error', reject);
    worker.on('exit', (code) => {
      signal.removeEventListener('abort', onAbort);
      if (ending === null) reject(new Error(`the thread of ${name} ended with ${code} and said nothing`));
      else if (ending.end === 'failed') reject(new BackgroundError(ending));
      else resolve(ending.output as never);
    });
  });
