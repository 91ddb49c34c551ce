import { isDeepStrictEqual } from 'node:util';
import type { Settings } from './schema.ts';

export interface SettingsChanges {
  /** Changed keys that are in force now. */
  applied: string[];
  /** Changed keys that need a restart. */
  needRestart: string[];
}

/** The changed settings, by their keys in the file, such as `queue.concurrency`. */
export function settingsChanges(before: Settings, after: Settings): SettingsChanges {
  const inForce = applyReloadable(before, after);
  return { applied: changedKeys(before, inForce, ''), needRestart: changedKeys(inForce, after, '') };
}

/** Replaces the settings that can change without a restart; those of the queue and of the cadence take effect with the next pass. */
export function applyReloadable(before: Settings, after: Settings): Settings {
  const { engine } = before.queue;
  return {
    ...before,
    cadence: after.cadence,
    retention: after.retention,
    flags: after.flags,
    sources: after.sources,
    optOut: after.optOut,
    jobs: after.jobs,
    log: after.log,
    queue: { ...after.queue, engine },
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
