import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { findJsonFault } from '../model/text/json-fault.ts';
import { sourcePathKeys } from '../sources/kinds/registry.ts';
import { nearest, type SchemaNode, type SettingKey } from './keys.ts';
import { formatValue, type SettingsProblem, unknownKey, unknownName } from './settings-error.ts';

export type Values = Readonly<Record<string, unknown>>;

/** The settings from one place, not yet checked against the schema. */
export interface Layer {
  readonly values: unknown;
  readonly problems: readonly SettingsProblem[];
  /** Where a key of this layer was set, as text. */
  readonly whereIs: (path: readonly PropertyKey[]) => string;
}

/** The settings file. `mustExist` is false for the default file, which is optional. */
export function fileLayer(path: string, where: string, mustExist: boolean): Layer {
  const failedLayer = (key: string, value: string, allowed: string | null): Layer => ({
    values: {},
    problems: [{ where, key, value, allowed }],
    whereIs: () => where,
  });
  let text: string;
  try {
    text = readFileSync(path, 'utf8').replace(/^\ufeff/, '');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null;
    if (code === 'ENOENT' && !mustExist) return { values: {}, problems: [], whereIs: () => where };
    return failedLayer('the file', fileFault(String(code)), null);
  }
  const fault = findJsonFault(text);
  if (fault === null) return { values: JSON.parse(text), problems: [], whereIs: () => where };
  const found = text.split('\n')[fault.line - 1]?.slice(fault.column - 1, fault.column + 19);
  return failedLayer(
    `line ${fault.line}, column ${fault.column}`,
    found ? formatValue(found) : 'the end',
    fault.expected,
  );
}

function fileFault(code: string): string {
  if (code === 'ENOENT') return 'missing; name another with --config, or write one with loopscout init';
  return code === 'EISDIR'
    ? 'a folder; name a file in it'
    : `unreadable (${code}); name a JSON file that this user may read`;
}

/** The variable for the URL of the job engine. Unlike the setting `queue.engine`, it may contain a password. */
export const ENGINE_URL = 'LOOPSCOUT_ENGINE_URL';

/** Variables that are secrets, not settings. */
export const SECRET_VARIABLES = ['LOOPSCOUT_PASSWORD', 'LOOPSCOUT_TOKEN', ENGINE_URL] as const;

/** The `LOOPSCOUT_*` variables. */
export function environmentLayer(
  env: Readonly<Record<string, string | undefined>>,
  keys: () => readonly SettingKey[],
): Layer {
  let values: Values = {};
  const problems: SettingsProblem[] = [];
  for (const [variable, text] of Object.entries(env)) {
    if (text === undefined || !variable.startsWith('LOOPSCOUT_') || isSecret(variable)) continue;
    const key = keys().find((known) => known.variable === variable);
    if (key !== undefined) {
      values = merge(values, nested(key.path, fromText(key.node, text))) as Values;
      continue;
    }
    const meant = nearest(
      variable,
      keys().map((known) => known.variable),
    );
    problems.push({ where: 'the environment', key: variable, ...unknownName(meant) });
  }
  const whereIs = (path: readonly PropertyKey[]) =>
    keys().find((key) => key.path.every((part, index) => part === path[index]))?.variable ?? 'the environment';
  return { values, problems, whereIs };
}

function isSecret(variable: string): boolean {
  return SECRET_VARIABLES.some((name) => name === variable);
}

/** `KEY=VALUE` flags, or an object of settings. */
export function flagLayer(flags: readonly string[] | Values, keys: () => readonly SettingKey[]): Layer {
  if (!isList(flags)) return { values: flags, problems: [], whereIs: () => 'the options' };
  const where = 'the command line';
  let values: Values = {};
  const problems: SettingsProblem[] = [];
  for (const flag of flags) {
    const [, name = flag, text] = /^([^=]*)=(.*)$/s.exec(flag) ?? [];
    const key = keys().find((known) => known.name === name);
    if (key === undefined) problems.push(unknownKey(where, name.split('.'), [], keys()));
    else if (text === undefined) {
      problems.push({ where, key: name, value: `given without a value; write ${name}=VALUE`, allowed: null });
    } else values = merge(values, nested(key.path, fromText(key.node, text))) as Values;
  }
  return { values, problems, whereIs: () => where };
}

/** Merges objects recursively; the upper layer replaces lists and values. A wrong type is kept for the schema to report. */
export function merge(lower: unknown, upper: unknown): unknown {
  if (!isRecord(upper)) return upper;
  if (!isRecord(lower)) return lower === undefined ? upper : lower;
  const added = Object.entries(upper).map(([key, value]) => [
    key,
    Object.hasOwn(lower, key) ? merge(lower[key], value) : value,
  ]);
  return Object.fromEntries([...Object.entries(lower), ...added]);
}

/** The same settings with every relative path taken from `folder`. Values that are not paths are left unchanged; the schema refuses them. */
export function withAbsolutePaths(values: unknown, folder: string): unknown {
  const toAbsolute = (value: unknown) => (typeof value === 'string' && value !== '' ? resolve(folder, value) : value);
  const updateKey = (value: unknown, key: string, change: (value: unknown) => unknown) =>
    isRecord(value) && Object.hasOwn(value, key) ? { ...value, [key]: change(value[key]) } : value;
  const pathKeys: Readonly<Record<string, readonly string[]>> = sourcePathKeys;
  const updateSource = (entry: unknown) => {
    const keys = isRecord(entry) && typeof entry.type === 'string' ? (pathKeys[entry.type] ?? []) : [];
    return keys.reduce((source, key) => updateKey(source, key, toAbsolute), entry);
  };
  let changed = updateKey(values, 'database', toAbsolute);
  for (const key of ['caFile', 'countryDatabase', 'asnDatabase'])
    changed = updateKey(changed, 'network', (network) => updateKey(network, key, toAbsolute));
  changed = updateKey(changed, 'optOut', (optOut) => updateKey(optOut, 'file', toAbsolute));
  changed = updateKey(changed, 'export', (exported) => updateKey(exported, 'dir', toAbsolute));
  changed = updateKey(changed, 'export', (exported) => updateKey(exported, 'site', toAbsolute));
  for (const key of ['logo', 'icon', 'words'])
    changed = updateKey(changed, 'site', (site) => updateKey(site, key, toAbsolute));
  return updateKey(changed, 'sources', (sources) => (Array.isArray(sources) ? sources.map(updateSource) : sources));
}

/** Reads the text as a string or as JSON, depending on the schema. A list of strings may be comma-separated. */
function fromText(node: SchemaNode, text: string): unknown {
  const forms = [node, ...(node.anyOf ?? [])] as SchemaNode[];
  const isNullable = forms.some(({ type }) => type === 'null');
  if (isNullable && (text === '' || text === 'null')) return null;
  if (forms.some(({ type }) => type === 'string')) return text;
  const isList = node.type === 'array' && (node.items as SchemaNode | undefined)?.type === 'string';
  if (isList && !text.trim().startsWith('['))
    return text
      .split(',')
      .map((item) => item.trim())
      .filter(Boolean);
  return findJsonFault(text) === null ? JSON.parse(text) : text;
}

function nested(path: readonly string[], value: unknown): Values {
  return path.reduceRight<unknown>((below, key) => ({ [key]: below }), value) as Values;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isList(flags: readonly string[] | Values): flags is readonly string[] {
  return Array.isArray(flags);
}
