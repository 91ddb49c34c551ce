import { JsonFileError } from '../options/json-file.ts';
import { createRandom, type Random, randomInteger, shuffle } from '../random.ts';
import { anyKind, type FleetFile, type HostRow } from './fleet-file.ts';
import type { Expectation, Kind } from './kind.ts';
import { kinds } from './kinds.ts';
import { findHostConflicts } from './read-fleet-file.ts';

/** The weight of each kind, by name. Kinds that it does not name are left out. */
export type Mix = Record<string, number>;

/** The settings of a row in a fleet file that override the settings of its kind. */
export type HostChanges = Omit<HostRow, 'kind' | 'count' | 'name' | 'seed' | 'expect'>;

export interface PlannedHost {
  /** Host name without the port. */
  name: string;
  kind: Kind;
  /** Seed of the random numbers of the host. */
  seed: number;
  changes: HostChanges;
  /** Null: no expectation. */
  expect: (Expectation & { aliasOf?: string }) | null;
}

const words = ['clips', 'reels', 'frames', 'takes', 'shorts', 'scenes', 'spools', 'cuts', 'shots', 'loopers'];

/**
 * Draws the hosts of a fleet; the same arguments give the same plan. If `count` allows, every kind of the mix occurs at least
 * once. A smaller fleet still has a `loops` host, if the mix has `loops`, because other kinds need one as their target.
 * @throws when the mix names an unknown kind, has no positive weight, or lacks `loops` although another kind needs it.
 */
export function planHosts(count: number, seed: number, tld: string, mix?: Mix): PlannedHost[] {
  const random = createRandom(seed);
  const nextName = createNames(random, count, tld);
  return drawKinds(random, count, mix).map((kind) => {
    const name = nextName();
    return { name, kind, seed: drawSeed(random), changes: {}, expect: kind.expect };
  });
}

/**
 * Plans the hosts of a valid fleet file, in its order; the same file gives the same hosts.
 * @param fileName name of the file in an error.
 * @throws {JsonFileError} when drawn names or kinds conflict with other hosts.
 */
export function planFile(fileName: string, file: FleetFile, seed: number, tld: string): PlannedHost[] {
  const random = createRandom(seed);
  const total = file.hosts.reduce((sum, { count = 1 }) => sum + count, 0);
  const nextName = createNames(random, total, tld);
  const hosts = file.hosts.flatMap((row) => {
    return kindsOfRow(row, random).map((kind): PlannedHost => {
      const drawn = { name: nextName(), seed: drawSeed(random) };
      return {
        name: row.name ?? drawn.name,
        kind,
        seed: row.seed ?? drawn.seed,
        changes: changesOf(row),
        expect: expectationOf(row, kind),
      };
    });
  });
  const problems = findHostConflicts(hosts.map((host) => ({ ...host, isTarget: isTarget(host) })));
  if (problems.length > 0) throw new JsonFileError(fileName, problems);
  return hosts;
}

/** Whether a host can be the target of others: an unchanged Loops server. */
export function isTarget({ kind, changes }: PlannedHost): boolean {
  return kind.name === 'loops' && Object.keys(changes).length === 0;
}

/** The changes of a row that affect the state of its server. */
export function stateChangesOf(changes: HostChanges) {
  const { faults: _faults, delayMs: _delayMs, dns: _dns, certificate: _certificate, ...rest } = changes;
  const { protocol: _protocol, connection: _connection, ...state } = rest;
  return state;
}

function kindsOfRow({ kind: kindName = 'loops', count = 1 }: HostRow, random: Random): Kind[] {
  if (kindName === anyKind) return drawKinds(random, count);
  const kind = kinds.find(({ name }) => name === kindName);
  if (kind === undefined) throw new Error(`There is no kind "${kindName}".`);
  return Array.from({ length: count }, () => kind);
}

function changesOf(row: HostRow): HostChanges {
  const { kind: _kind, count: _count, name: _name, seed: _seed, expect: _expect, ...changes } = row;
  return Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
}

/** The expectation of the row, else of its kind; null when a change of the row may affect the result. */
function expectationOf(row: HostRow, kind: Kind): PlannedHost['expect'] {
  if (row.expect !== undefined) return row.expect;
  const { usage: _usage, config = {}, delayMs = 0, faults = [], ...otherChanges } = changesOf(row);
  const maxDelayMs = typeof delayMs === 'number' ? delayMs : delayMs[1];
  const changesIdentity = config.app !== undefined && ('software' in config.app || 'version' in config.app);
  const mayChangeResult =
    Object.keys(otherChanges).length > 0 || changesIdentity || faults.length > 0 || maxDelayMs > 1_000;
  return mayChangeResult ? null : kind.expect;
}

/** A kind, and the sum of its weight and those of all kinds before it. */
interface WeightedKind {
  kind: Kind;
  cumulativeWeight: number;
}

function drawKinds(random: Random, count: number, mix?: Mix): Kind[] {
  const weighted = weightKinds(mix);
  const chosen: Kind[] = [];
  const loops = weighted.find(({ kind }) => kind.name === 'loops');
  const needingTarget = weighted.find(({ kind }) => kind.needsTarget === true);
  if (loops === undefined && needingTarget !== undefined) {
    throw new Error(
      `The fleet's mix has "${needingTarget.kind.name}", which points at another host; add "loops" to the mix.`,
    );
  }
  if (loops !== undefined && count > 0) chosen.push(loops.kind);
  if (count >= weighted.length) chosen.push(...weighted.filter((row) => row !== loops).map(({ kind }) => kind));
  while (chosen.length < count) chosen.push(drawKind(random, weighted));
  return shuffle(random, chosen);
}

function weightKinds(mix: Mix | undefined): WeightedKind[] {
  const unknown = Object.keys(mix ?? {}).filter((name) => !kinds.some((kind) => kind.name === name));
  if (unknown.length > 0) throw new Error(`The fleet's mix has unknown kinds: ${unknown.join(', ')}.`);
  let cumulativeWeight = 0;
  const weighted: WeightedKind[] = [];
  for (const kind of kinds) {
    const weight = mix === undefined ? (kind.weight ?? 1) : (mix[kind.name] ?? 0);
    if (!(weight >= 0)) throw new Error(`The fleet's mix has "${kind.name}": ${weight}; a weight is 0 or more.`);
    if (weight === 0) continue;
    cumulativeWeight += weight;
    weighted.push({ kind, cumulativeWeight });
  }
  if (weighted.length === 0)
    throw new Error("The fleet's mix gives every kind the weight 0; give one of them a positive weight.");
  return weighted;
}

function drawKind(random: Random, weighted: WeightedKind[]): Kind {
  const point = random() * (weighted.at(-1)?.cumulativeWeight ?? 0);
  const row = weighted.find(({ cumulativeWeight }) => point < cumulativeWeight) ?? weighted.at(-1);
  if (row === undefined) throw new Error('There is no kind to draw.');
  return row.kind;
}

/** Returns a function that draws the next name: a random word and a running number. */
function createNames(random: Random, count: number, tld: string): () => string {
  const digits = Math.max(4, String(count).length);
  let index = 0;
  return () => {
    index += 1;
    return `${words[randomInteger(random, 0, words.length - 1)]}-${String(index).padStart(digits, '0')}.${tld}`;
  };
}

function drawSeed(random: Random): number {
  return randomInteger(random, 0, 0xffff_ffff);
}
