import leven from 'leven';
import { readJsonFile } from '../options/json-file.ts';
import { stateSettings } from '../options/state-settings.ts';
import { createRandom } from '../random.ts';
import { anyKind, FleetFile, HostRow } from './fleet-file.ts';
import type { HostContext, Kind } from './kind.ts';
import { kinds } from './kinds.ts';

type Row = Readonly<Record<string, unknown>>;

const { kind: _kind, count: _count, name: _name, seed: _seed, expect: _expect, ...changes } = HostRow.shape;
const { faults: _faults, delayMs: _delayMs, ...ofState } = stateSettings;

/**
 * What is wrong with the rows of a fleet file beyond what the schema of a single row can say: kinds there are none of, changes
 * that change nothing, hosts at odds with each other. The file may break the schema: then this is what else is wrong with it.
 */
export function findRowProblems(file: unknown): string[] {
  const rows: readonly unknown[] = isRow(file) && Array.isArray(file.hosts) ? file.hosts : [];
  const problems: string[] = [];
  const hosts = rows.map((row, index) => {
    if (!isRow(row)) return { name: undefined, kind: undefined, isTarget: false };
    const { kind: wanted = 'loops', name } = row;
    const kind = kinds.find((each) => each.name === wanted);
    problems.push(...problemsOf(row, wanted, kind, `hosts[${index}]`));
    const isLoops = wanted === 'loops' || wanted === anyKind;
    const isTarget = isLoops && keysOf(row, changes).length === 0;
    return { name: typeof name === 'string' ? name : undefined, kind, isTarget };
  });
  return [...problems, ...findHostConflicts(hosts)];
}

function problemsOf(row: Row, wanted: unknown, kind: Kind | undefined, place: string): string[] {
  if (typeof wanted !== 'string') return [];
  if (kind === undefined && wanted !== anyKind) {
    const nearest = suggestKinds(wanted).join(', ');
    return [`${place}.kind is "${wanted}"; there is no such kind, the nearest are ${nearest}; or "any"`];
  }
  const idle = keysOf(row, ofState);
  if (idle.length === 0 || (kind !== undefined && isLoopsServer(kind))) return [];
  const why = `changes nothing of "${wanted}", which is no Loops server; leave it out, or take the kind "loops"`;
  return idle.map((key) => `${place}.${key} ${why}`);
}

/** The keys of a row that are among these, and say something. */
function keysOf(row: Row, among: object): string[] {
  return Object.keys(row).filter((key) => Object.hasOwn(among, key) && row[key] !== undefined);
}

function isRow(value: unknown): value is Row {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The names of the kinds that a word is likely to stand for, the likeliest first. */
function suggestKinds(word: string): string[] {
  return kinds
    .map(({ name }) => ({ name, distance: leven(word, name) }))
    .sort((a, b) => a.distance - b.distance)
    .slice(0, 3)
    .map(({ name }) => name);
}

/** Whether a host of this kind is a Loops server with all its endpoints, so that its state can be changed. */
function isLoopsServer(kind: Kind): boolean {
  const nowhere = { domain: 'host.example', url: 'https://host.example' };
  const context: HostContext = {
    name: 'host.example',
    ...nowhere,
    port: 443,
    random: createRandom(1),
    target: nowhere,
    changes: {},
  };
  return kind.site?.(context).state !== undefined;
}

/** A host, as far as it may be at odds with another one. */
interface Conflicting {
  /** Undefined: one that is still to be drawn. */
  name: string | undefined;
  /** Undefined: one that is still to be drawn, or none there is. */
  kind: Kind | undefined;
  /** Whether others may point at it: a Loops server as it comes. */
  isTarget: boolean;
}

/** What is wrong with hosts taken together: a sentence for each name that two of them have, and for pointing at nobody. */
export function findHostConflicts(hosts: readonly Conflicting[]): string[] {
  const once = new Set<string>();
  const twice = new Set<string>();
  for (const { name } of hosts) {
    if (name !== undefined) (once.has(name) ? twice : once).add(name);
  }
  const problems = [...twice].map((name) => `two hosts are named ${name}; give each a name of its own`);
  const pointing = hosts.find(({ kind }) => kind?.needsTarget === true)?.kind;
  if (pointing !== undefined && !hosts.some(({ isTarget }) => isTarget)) {
    problems.push(`the kind "${pointing.name}" points at a Loops server; add { "kind": "loops" }`);
  }
  return problems;
}

/**
 * Reads a fleet from a JSON file.
 * @throws {JsonFileError} that names everything wrong with it.
 */
export function readFleetFile(path: string): FleetFile {
  return readJsonFile(path, FleetFile, findRowProblems);
}
