import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { ExportReport } from '../../export/export-all.ts';
import type { Domain } from '../../model/domain/domain.ts';
import { openStore } from '../../store/open-store.ts';
import { type CompactionReport, compact, type Retention } from '../../store/retention/compact.ts';
import type { ExportInput } from './write-datasets.ts';

/** Work for a thread other than the crawl's. Each task opens and closes its own database connection. */
export const tasks = {
  // Loaded at the first export, which leaves more memory for the long source lists read before.
  async export(input: ExportInput, signal: AbortSignal): Promise<ExportReport> {
    const { writeDatasets } = await import('./write-datasets.ts');
    return await writeDatasets(input, signal);
  },

  /** Opts domains out and purges them. */
  async forget(input: { database: string; domains: readonly Domain[]; at: number }): Promise<null> {
    await using store = await openStore({ path: input.database });
    store.optOuts.forget(input.domains, input.at);
    return null;
  },

  /** Deletes old data. */
  async compact(
    input: { database: string; at: number; retention: Retention },
    signal: AbortSignal,
  ): Promise<CompactionReport> {
    const { database, at, retention } = input;
    return await compact({ path: database, at, retention, signal });
  },
};

export type Tasks = typeof tasks;
type Outputs = { [Name in keyof Tasks]: Awaited<ReturnType<Tasks[Name]>> };

/** Runs a task. When the signal aborts, the task ends early: `compact` with a report, the others with an error. */
export type RunTask = <Name extends keyof Tasks>(
  name: Name,
  input: Parameters<Tasks[Name]>[0],
  signal: AbortSignal,
) => Promise<Outputs[Name]>;

/** Runs a task on the calling thread. */
export const runInline: RunTask = async (name, input, signal) => (await tasks[name](input as never, signal)) as never;

/** The message that a task's thread sends when the task ends. */
export type TaskMessage =
  | { end: 'done'; output: unknown }
  | { end: 'failed'; message: string; name: string; kind: string | undefined; stack: string | undefined };

/** An error of a task on its thread, with the name, message and `kind` of the original. */
export class TaskError extends Error {
  override readonly name: string;
  readonly kind: string | undefined;

  constructor({ message, name, kind, stack }: Extract<TaskMessage, { end: 'failed' }>) {
    super(message);
    this.name = name;
    this.kind = kind;
    if (stack !== undefined) this.stack = stack;
  }
}

/** Runs each task on its own thread, so that it does not block the crawl and its memory is freed afterwards. */
export const runOnThread: RunTask = (name, input, signal) =>
  new Promise((resolve, reject) => {
    // .ts in the repository, .js in the published package.
    const script = new URL(`./thread${extname(import.meta.url)}`, import.meta.url);
    const worker = new Worker(script, { workerData: { name, input }, name: `loopscout ${name}` });
    const onAbort = () => worker.postMessage('abort');
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) onAbort();
    let result: TaskMessage | null = null;
    worker.on('message', (message: TaskMessage) => {
      result = message;
    });
    worker.on('error', reject);
    worker.on('exit', (code) => {
      signal.removeEventListener('abort', onAbort);
      if (result === null) reject(new Error(`the thread of ${name} exited with ${code} without a result`));
      else if (result.end === 'failed') reject(new TaskError(result));
      else resolve(result.output as never);
    });
  });
