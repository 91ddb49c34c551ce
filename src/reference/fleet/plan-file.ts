import { JsonFileError } from '../options/json-file.ts';
import { createRandom } from '../random.ts';
import { anyKind, type FleetFile, type HostRow } from './fleet-file.ts';
import { createNames, drawKinds, drawSeed, type HostChanges, type PlannedHost } from './host-plan.ts';
import type { Kind } from './kind.ts';
import { kinds } from './kinds.ts';
import { hostConflicts } from './plan-rows.ts';
/**
 * The hosts of a fleet file with whose rows nothing is wrong, in its order; the same file gives the same hosts.
 * @param name what to call the file in an error.
 * @throws {JsonFileError} when what is drawn does not go with the rest: a name, or a kind that points at a server.
 */
export function planFile(name: string, file: FleetFile, seed: number, tld: string): PlannedHost[] {
  const random = createRandom(seed);
  const total = file.hosts.reduce((sum, { count = 1 }) => sum + count, 0);
  const nameFor = createNames(random, total, tld);
  const hosts = file.hosts.flatMap((row) => {
    return kindsFor(row, (count) => drawKinds(random, count)).map((kind): PlannedHost => {
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
  const problems = hostConflicts(hosts.map((host) => ({ ...host, isTarget: isTarget(host) })));
  if (problems.length > 0) throw new JsonFileError(name, problems);
  return hosts;
}

function kindsFor({ kind: wanted = 'loops', count = 1 }: HostRow, draw: (count: number) => Kind[]): Kind[] {
  if (wanted === anyKind) return draw(count);
  const kind = kinds.find(({ name }) => name === wanted);
  if (kind === undefined) throw new Error(`There is no kind "${wanted}".`);
  return Array.from({ length: count }, () => kind);
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
