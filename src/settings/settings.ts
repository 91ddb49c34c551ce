import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { environment } from './environment.ts';
import { type SettingKey, settingKeys, settingsJsonSchema } from './keys.ts';
import {
  ENGINE_URL,
  environmentLayer,
  fileLayer,
  flagLayer,
  type Layer,
  merge,
  type Values,
  withAbsolutePaths,
} from './read-layers.ts';
import type { SettingsFile } from './require-contact.ts';
import { type Settings, SettingsSchema } from './schema.ts';
import { expectedOf, problemsOf, SettingsError, valueAt } from './settings-error.ts';

export { settingsJsonSchema } from './keys.ts';
export type { Settings } from './schema.ts';
export { SettingsError } from './settings-error.ts';

const defaultFile = 'crawler.config.json';

export interface LoadOptions {
  /** The settings file, which must exist. Undefined: `crawler.config.json` in `cwd` if there is one. Null: none. */
  readonly file?: string | null | undefined;
  /** Default: the environment of the process. Variables other than `LOOPSCOUT_*` are ignored. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Strings like `queue.concurrency=10`, or an object in the form of the file. */
  readonly flags?: readonly string[] | Values;
  /** The folder that `file` and relative paths in the environment and the flags resolve against. */
  readonly cwd?: string;
}

/**
 * Loads the settings. Flags override the environment, which overrides the file, which overrides the defaults. Relative paths in the
 * file and in the defaults resolve against the file's folder.
 *
 * @throws {SettingsError} naming every problem.
 */
export function loadSettings(options: LoadOptions = {}): Settings {
  const { file, env = environment, flags = [], cwd = process.cwd() } = options;
  const path = resolve(cwd, file ?? defaultFile);
  // Most settings name no key that must be looked up, and making the schema takes longer than reading them.
  let known: readonly SettingKey[] | undefined;
  const keys = () => (known ??= settingKeys(settingsJsonSchema()));
  const layers = [
    ...(file === null ? [] : [withPathsFrom(dirname(path), fileLayer(path, file ?? defaultFile, file !== undefined))]),
    withPathsFrom(cwd, environmentLayer(env, keys)),
    withPathsFrom(cwd, flagLayer(flags, keys)),
  ];

  const values = layers.map((layer) => layer.values).reduce(merge);
  const parse = SettingsSchema.safeParse(values, { error: expectedOf });
  const problems = layers.flatMap((layer) => layer.problems);
  if (!parse.success) {
    const whereIs = (at: readonly PropertyKey[]) => {
      const settingLayers = layers.filter((layer) => sets(layer.values, at));
      const layerInForce = settingLayers.findLast((layer) => Object.is(valueAt(layer.values, at), valueAt(values, at)));
      return (layerInForce ?? settingLayers.at(-1))?.whereIs(at) ?? file ?? defaultFile;
    };
    problems.push(...problemsOf(parse.error.issues, values, settingsJsonSchema(), keys(), whereIs));
  }
  if (problems.length > 0 || !parse.success) throw new SettingsError(problems);
  const { $schema: _, ...settings } = parse.data;
  return deepFreeze(withAbsolutePaths(settings, dirname(path)) as Settings);
}

/** The URL of the job engine, which may contain a password; null when none is set. */
export function readEngineUrl({ queue }: Settings, env: LoadOptions['env'] = environment): string | null {
  return env[ENGINE_URL] || queue.engine;
}

/** The file that `loadSettings` reads with these options. */
export function settingsFileOf({ file, cwd = process.cwd() }: Pick<LoadOptions, 'file' | 'cwd'>): SettingsFile {
  const path = resolve(cwd, file ?? defaultFile);
  return { path, exists: existsSync(path) };
}

function withPathsFrom(folder: string, layer: Layer): Layer {
  return { ...layer, values: withAbsolutePaths(layer.values, folder) };
}

/** Whether the layer sets this path. For a path into a list, whether it sets the list: lists are replaced as a whole, never merged. */
function sets(values: unknown, path: readonly PropertyKey[]): boolean {
  const [key, ...rest] = path;
  if (key === undefined || typeof key === 'number') return true;
  if (typeof values !== 'object' || values === null || !Object.hasOwn(values, key)) return false;
  return sets((values as Readonly<Record<PropertyKey, unknown>>)[key], rest);
}

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) {
    for (const part of Object.values(value)) deepFreeze(part);
    Object.freeze(value);
  }
  return value;
}
