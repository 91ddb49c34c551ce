import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Domain } from './domain/domain.ts';
import type { Months } from './export/bulk/stage-months.ts';
import type { ExportReport } from './export/export-all.ts';
import type { CompactionReport } from './store/compact.ts';

/** What is done beside the crawl, on a connection of its own. */
export interface BackgroundTasks {
  export: { input: ExportInput; output: ExportReport };
  compact: { input: CompactInput; output: CompactionReport };
  /** Opts domains out and purges them; rewriting the database takes its time. */
  forget: { input: ForgetInput; output: null };
}

export interface ExportInput {
  database: string;
  dir: string;
  /** The time that the datasets are of, milliseconds since the epoch. */
  at: number;
  flags: { crowdedFrom: number; staleDays: number };
  /** Whose export it is: the address that the crawler names as its own. */
  contact: string;
  /** How long visits are kept. */
  visitsDays: number;
  /** Which months of visits and usage are written. */
  months: Months;
  /** What more would make disappear is kept back, in percent. */
  maxDropPercent: number;
  /** Publishes what would be kept back. */
  force: boolean;
}

export interface CompactInput {
  database: string;
  at: number;
  retention: { stepsDays: number; documentsDays: number; visitsDays: number; usageDays: number; unlistedDays: number };
}

export interface ForgetInput {
  database: string;
  domains: readonly Domain[];
  at: number;
}

export type TaskName = keyof BackgroundTasks;

/** Runs a task, which ends early, with an AbortError, when the signal aborts. */
export type RunInBackground = <Name extends TaskName>(
  name: Name,
  input: BackgroundTasks[Name]['input'],
  signal: AbortSignal,
) => Promise<BackgroundTasks[Name]['output']>;

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
    const script = new URL(`./app.thread${extname(import.meta.url)}`, import.meta.url);
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
