import leven from 'leven';
import { readJsonFile } from '../options/json-file.ts';
import { stateSettings } from '../options/state-settings.ts';
import { createRandom } from '../random.ts';
import { anyKind, FleetFile, HostRow } from './fleet-file.ts';
import type { HostContext, Kind } from './kind.ts';
import { kinds } from './kinds.ts';

type Row = Readonly<Record<string, unknown>>;

/** The settings that make a host differ from its kind. */
const { kind: _kind, count: _count, name: _name, seed: _seed, expect: _expect, ...changeShape } = HostRow.shape;
/** The settings that have an effect on Loops servers only. */
const { faults: _faults, delayMs: _delayMs, ...stateOnlySettings } = stateSettings;

/**
 * The problems of rows that the schema cannot find: unknown kinds, settings without effect, and conflicts between hosts.
 * Accepts an invalid file.
 */
export function findRowProblems(file: unknown): string[] {
  const rows: readonly unknown[] = isRow(file) && Array.isArray(file.hosts) ? file.hosts : [];
  const problems: string[] = [];
  const hosts = rows.map((row, index) => {
    if (!isRow(row)) return { name: undefined, kind: undefined, isTarget: false };
    const { kind: kindName = 'loops', name } = row;
    const kind = kinds.find((each) => each.name === kindName);
    problems.push(...problemsOf(row, kindName, kind, `hosts[${index}]`));
    const isLoops = kindName === 'loops' || kindName === anyKind;
    const isTarget = isLoops && keysOf(row, changeShape).length === 0;
    return { name: typeof name === 'string' ? name : undefined, kind, isTarget };
  });
  return [...problems, ...findHostConflicts(hosts)];
}

function problemsOf(row: Row, kindName: unknown, kind: Kind | undefined, path: string): string[] {
  if (typeof kindName !== 'string') return [];
  if (kind === undefined && kindName !== anyKind) {
    const suggestions = suggestKinds(kindName).join(', ');
    return [`${path}.kind is "${kindName}"; there is no such kind; similar kinds: ${suggestions}; "any" draws one`];
  }
  const stateKeys = keysOf(row, stateOnlySettings);
  if (stateKeys.length === 0 || (kind !== undefined && isLoopsServer(kind))) return [];
  const problem = `has no effect on "${kindName}", which is not a Loops server; leave it out, or use the kind "loops"`;
  return stateKeys.map((key) => `${path}.${key} ${problem}`);
}

/** The keys of a row that have a value and are also keys of `shape`. */
function keysOf(row: Row, shape: object): string[] {
  return Object.keys(row).filter((key) => Object.hasOwn(shape, key) && row[key] !== undefined);
}

function isRow(value: unknown): value is Row {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The names of the most similar kinds, best first. */
function suggestKinds(word: string): string[] {
  return kinds
    .map(({ name }) => ({ name, distance: leven(word, name) }))
    .sort((a, b) => a.distance - b.distance)
    .slice(0, 3)
    .map(({ name }) => name);
}

/** Whether hosts of this kind are Loops servers, so that they have a state. */
function isLoopsServer(kind: Kind): boolean {
  const dummy = { domain: 'host.example', url: 'https://host.example' };
  const context: HostContext = {
    name: 'host.example',
    ...dummy,
    port: 443,
    random: createRandom(1),
    target: dummy,
    changes: {},
  };
  return kind.site?.(context).state !== undefined;
}

/** The part of a host that may conflict with another host. */
interface ComparedHost {
  /** Undefined: not drawn yet. */
  name: string | undefined;
  /** Undefined: not drawn yet, or unknown. */
  kind: Kind | undefined;
  /** Whether it can be the target of others. */
  isTarget: boolean;
}

/** A problem for each duplicate name, and for a missing target. */
export function findHostConflicts(hosts: readonly ComparedHost[]): string[] {
  const names = new Set<string>();
  const duplicates = new Set<string>();
  for (const { name } of hosts) {
    if (name !== undefined) (names.has(name) ? duplicates : names).add(name);
  }
  const problems = [...duplicates].map((name) => `two hosts are named ${name}; give each its own name`);
  const dependentKind = hosts.find(({ kind }) => kind?.needsTarget === true)?.kind;
  if (dependentKind !== undefined && !hosts.some(({ isTarget }) => isTarget)) {
    problems.push(`the kind "${dependentKind.name}" points at a Loops server; add { "kind": "loops" }`);
  }
  return problems;
}

/**
 * Reads a fleet from a JSON file.
 * @throws {JsonFileError} listing every problem.
 */
export function readFleetFile(path: string): FleetFile {
  return readJsonFile(path, FleetFile, findRowProblems);
}
