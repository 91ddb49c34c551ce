import { isDeepStrictEqual } from 'node:util';
import type { Settings } from './schema.ts';

export interface SettingsChanges {
  /** Keys that changed and are in force now. */
  takenOn: string[];
  /** Keys that changed and are in force only after a restart. */
  needRestart: string[];
}

/** What of the settings has changed, by the keys of the file: `queue.concurrency`. */
export function settingsChanges(before: Settings, after: Settings): SettingsChanges {
  const inForce = takeOn(before, after);
  return { takenOn: changedKeys(before, inForce, ''), needRestart: changedKeys(inForce, after, '') };
}

/** The settings that a running service goes on with: what it takes on at once, or, of the queue, with the next pass. The rest stays. */
export function takeOn(before: Settings, after: Settings): Settings {
  return {
    ...before,
    cadence: after.cadence,
    retention: after.retention,
    flags: after.flags,
    sources: after.sources,
    optOut: after.optOut,
    jobs: after.jobs,
    log: after.log,
    queue: { ...after.queue, leaseSeconds: before.queue.leaseSeconds },
    service: after.service,
  };
}

function changedKeys(before: unknown, after: unknown, at: string): string[] {
  if (isDeepStrictEqual(before, after)) return [];
  if (!isGroup(before) || !isGroup(after)) return [at];
  return Object.keys(after).flatMap((key) => changedKeys(before[key], after[key], at === '' ? key : `${at}.${key}`));
}

function isGroup(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
