import { parentPort, workerData } from 'node:worker_threads';
import { type TaskMessage, type Tasks, tasks } from './tasks.ts';

// Entry point of a thread that runs one task.
const { name, input } = workerData as { name: keyof Tasks; input: never };
const controller = new AbortController();
parentPort?.once('message', () => controller.abort());

async function runTask(): Promise<TaskMessage> {
  try {
    const output = await tasks[name](input, controller.signal);
    return { end: 'done', output };
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const kind = 'kind' in error ? String(error.kind) : undefined;
    return { end: 'failed', message: error.message, name: error.name, kind, stack: error.stack };
  }
}

parentPort?.postMessage(await runTask());
parentPort?.close();
