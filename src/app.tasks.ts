import type { BackgroundTasks, RunInBackground, TaskName } from './app.background.ts';
import { exportAll } from './export/export-all.ts';
import { guardPublished } from './export/guard.ts';
import { sourceOf } from './export/source-of.ts';
import { compact } from './store/compact.ts';
import { openStore } from './store/open-store.ts';
import { patiently } from './store/patiently.ts';
import { VERSION } from './version.ts';

const DAY_MS = 86_400_000;
/** For another process that has the database locked. */
const PATIENCE_MS = 120_000;

type Tasks = {
  [Name in TaskName]: (
    input: BackgroundTasks[Name]['input'],
    signal: AbortSignal,
  ) => Promise<BackgroundTasks[Name]['output']>;
};

/** What is done beside the crawl; each opens the database anew and closes it. */
export const tasks: Tasks = {
  async export({ database, dir, at, flags, contact, visitsDays, months, maxDropPercent, force }, signal) {
    await using store = await openStore({ path: database, readOnly: true });
    using reader = store.reader({ snapshot: true, flags });
    const lastVisit = reader.lastVisit();
    // What was recorded meanwhile is in it as well: as of this time, the same is rebuilt from the history.
    const taken = Math.max(at, lastVisit?.recordedAt ?? at);
    const departed = force ? [] : await guardPublished({ dir, database: reader, at: taken, maxDropPercent });
    const source = sourceOf(reader, { at: taken, visitsKeptSince: taken - visitsDays * DAY_MS });
    const now = () => taken;
    return await exportAll({ source, dir, now, toolVersion: VERSION, contact, lastVisit, months, departed, signal });
  },

  async forget({ database, domains, at }, signal) {
    await using store = await openStore({ path: database });
    await patiently(() => store.forget(domains, at), { forMs: PATIENCE_MS, signal });
    return null;
  },

  compact: ({ database, at, retention }, signal) => compact({ path: database, at, retention, signal }),
};

/** Runs a task on this thread, where there is no crawl to hold up. */
export const runHere: RunInBackground = async (name, input, signal) => await tasks[name](input as never, signal);
