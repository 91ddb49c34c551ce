import { JsonFileError } from '../options/json-file-error.ts';
import { createRandom } from '../random.ts';
import type { FleetFile, HostRow } from './fleet-file.ts';
import { createNames, drawKinds, drawSeed, type HostChanges, type PlannedHost } from './host-plan.ts';
import type { Kind } from './kind.ts';
import { kinds } from './kinds.ts';
import { nearestKinds } from './nearest-kinds.ts';
import { servesState } from './serves-state.ts';

/** What a row may say instead of a kind: one that is drawn for each host, as in a fleet without a file. */
const anyKind = 'any';

/**
 * The hosts of a fleet file, in its order; the same file gives the same hosts.
 * @param name what to call the file in an error.
 * @throws {JsonFileError} when it names kinds there are none of, one name twice, or contradicts itself.
 */
export function planFile(name: string, file: FleetFile, seed: number, tld: string): PlannedHost[] {
  const random = createRandom(seed);
  const total = file.hosts.reduce((sum, { count = 1 }) => sum + count, 0);
  const nameFor = createNames(random, total, tld);
  const problems: string[] = [];
  const hosts = file.hosts.flatMap((row, index) => {
    const kindsOfRow = kindsFor(row, `hosts[${index}]`, problems, (count) => drawKinds(random, count));
    return kindsOfRow.map((kind): PlannedHost => {
      const drawn = { name: nameFor(), seed: drawSeed(random) };
      return {
        name: row.name ?? drawn.name,
        kind,
        seed: row.seed ?? drawn.seed,
        changes: changesOf(row),
        expect: expectationOf(row, kind),
      };
    });
  });
  problems.push(...problemsAmong(hosts));
  if (problems.length > 0) throw new JsonFileError(name, problems);
  return hosts;
}

function kindsFor(row: HostRow, place: string, problems: string[], draw: (count: number) => Kind[]): Kind[] {
  const { kind: wanted = 'loops', count = 1 } = row;
  const kind = kinds.find(({ name }) => name === wanted);
  const stateKeys = Object.keys(stateChangesOf(changesOf(row)));
  if (stateKeys.length > 0 && (wanted === anyKind || (kind !== undefined && !servesState(kind)))) {
    problems.push(
      `${place}.${stateKeys[0]} changes nothing of "${wanted}", which is no Loops server; leave it out, or take the kind "loops"`,
    );
  }
  if (wanted === anyKind) return draw(count);
  if (kind === undefined) {
    problems.push(
      `${place}.kind is "${wanted}"; there is no such kind, the nearest are ${nearestKinds(wanted).join(', ')}; or "any"`,
    );
    return [];
  }
  return Array.from({ length: count }, () => kind);
}

function problemsAmong(hosts: readonly PlannedHost[]): string[] {
  const problems: string[] = [];
  const names = new Set<string>();
  for (const { name } of hosts) {
    if (names.has(name)) problems.push(`two hosts are named ${name}; give each a name of its own`);
    names.add(name);
  }
  const pointing = hosts.find(({ kind }) => kind.pointsElsewhere === true);
  if (pointing !== undefined && !hosts.some(isTarget)) {
    problems.push(`the kind "${pointing.kind.name}" points at a Loops server; add { "kind": "loops" }`);
  }
  return problems;
}

/** Whether others may point at a host: a Loops server as it comes. */
export function isTarget({ kind, changes }: PlannedHost): boolean {
  return kind.name === 'loops' && Object.keys(changes).length === 0;
}

/** The part of what a row changes that is of the state of a server. */
export function stateChangesOf(changes: HostChanges) {
  const { faults: _faults, delayMs: _delayMs, dns: _dns, certificate: _certificate, ...rest } = changes;
  const { protocol: _protocol, connection: _connection, ...state } = rest;
  return state;
}

function changesOf(row: HostRow): HostChanges {
  const { kind: _kind, count: _count, name: _name, seed: _seed, expect: _expect, ...changes } = row;
  return Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
}

/** What the row says; else what the kind says, unless the row changes something that may decide. */
function expectationOf(row: HostRow, kind: Kind): PlannedHost['expect'] {
  if (row.expect !== undefined) return row.expect;
  const { usage: _usage, config = {}, delayMs = 0, faults = [], ...deciding } = changesOf(row);
  const longest = typeof delayMs === 'number' ? delayMs : delayMs[1];
  const isNamed = config.app !== undefined && ('software' in config.app || 'version' in config.app);
  const decides = Object.keys(deciding).length > 0 || isNamed || faults.length > 0 || longest > 1_000;
  return decides ? null : kind.expect;
}
