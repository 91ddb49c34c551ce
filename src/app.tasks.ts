import type { BackgroundTasks, RunInBackground, TaskName } from './app.background.ts';
import { compact } from './store/compact.ts';
import { openStore } from './store/open-store.ts';
import { retryWhileLocked } from './store/retry-while-locked.ts';

type Tasks = {
  [Name in TaskName]: (
    input: BackgroundTasks[Name]['input'],
    signal: AbortSignal,
  ) => Promise<BackgroundTasks[Name]['output']>;
};

/** What is done beside the crawl; each opens the database anew and closes it. */
export const tasks: Tasks = {
  // What an export is made of is loaded with the first: a long list is read without it in memory.
  async export(input, signal) {
    const { writeDatasets } = await import('./app.write-datasets.ts');
    return await writeDatasets(input, signal);
  },

  async forget({ database, domains, at }, signal) {
    await using store = await openStore({ path: database });
    await retryWhileLocked(() => store.forget(domains, at), { signal });
    return null;
  },

  compact: ({ database, at, retention }, signal) => compact({ path: database, at, retention, signal }),
};

/** Runs a task on this thread, where there is no crawl to hold up. */
export const runHere: RunInBackground = async (name, input, signal) => await tasks[name](input as never, signal);
