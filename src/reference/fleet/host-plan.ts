import { JsonFileError } from '../options/json-file.ts';
import { createRandom, type Random, randomInteger, shuffle } from '../random.ts';
import { anyKind, type FleetFile, type HostRow } from './fleet-file.ts';
import type { Expectation, Kind } from './kind.ts';
import { kinds } from './kinds.ts';
import { findHostConflicts } from './read-fleet-file.ts';

/** How often each kind is drawn beside the others, by its name; kinds not named are left out. */
export type Mix = Record<string, number>;

/** What a row of a fleet file changes of its kind. */
export type HostChanges = Omit<HostRow, 'kind' | 'count' | 'name' | 'seed' | 'expect'>;

export interface PlannedHost {
  /** Host name without the port. */
  name: string;
  kind: Kind;
  /** Seed of the host's own random numbers. */
  seed: number;
  changes: HostChanges;
  /** Null: nothing is predicted. */
  expect: (Expectation & { aliasOf?: string }) | null;
}

const words = ['clips', 'reels', 'frames', 'takes', 'shorts', 'scenes', 'spools', 'cuts', 'shots', 'loopers'];

/**
 * Decides the names and the kinds of a fleet's hosts; the same arguments give the same plan. Every kind of the mix is there
 * once before any is there twice, as far as `count` goes, and `loops` comes first when others point at it.
 * @throws when the mix names no such kind, weighs all of them 0, or points at Loops hosts that it does not hold.
 */
export function planHosts(count: number, seed: number, tld: string, mix?: Mix): PlannedHost[] {
  const random = createRandom(seed);
  const nameFor = createNames(random, count, tld);
  return drawKinds(random, count, mix).map((kind) => {
    const name = nameFor();
    return { name, kind, seed: drawSeed(random), changes: {}, expect: kind.expect };
  });
}

/** @throws when the mix names no such kind, weighs all of them 0, or points at Loops hosts that it does not hold. */
export function drawKinds(random: Random, count: number, mix?: Mix): Kind[] {
  const drawn = weigh(mix);
  const chosen: Kind[] = [];
  const loops = drawn.find(({ kind }) => kind.name === 'loops');
  const pointing = drawn.find(({ kind }) => kind.needsTarget === true);
  if (loops === undefined && pointing !== undefined) {
    throw new Error(`The fleet's mix has "${pointing.kind.name}", which points at another host: give it "loops" too.`);
  }
  if (loops !== undefined && count > 0) chosen.push(loops.kind);
  if (count >= drawn.length) chosen.push(...drawn.filter((row) => row !== loops).map(({ kind }) => kind));
  while (chosen.length < count) chosen.push(draw(random, drawn));
  return shuffle(random, chosen);
}

/** Makes names for so many hosts, one after the other: a word that is drawn, and a number. */
export function createNames(random: Random, count: number, tld: string): () => string {
  const digits = Math.max(4, String(count).length);
  let index = 0;
  return () => {
    index += 1;
    return `${words[randomInteger(random, 0, words.length - 1)]}-${String(index).padStart(digits, '0')}.${tld}`;
  };
}

export function drawSeed(random: Random): number {
  return randomInteger(random, 0, 0xffff_ffff);
}

function weigh(mix: Mix | undefined): { kind: Kind; upTo: number }[] {
  const unknown = Object.keys(mix ?? {}).filter((name) => !kinds.some((kind) => kind.name === name));
  if (unknown.length > 0) throw new Error(`The fleet's mix has unknown kinds: ${unknown.join(', ')}.`);
  let upTo = 0;
  const rows: { kind: Kind; upTo: number }[] = [];
  for (const kind of kinds) {
    const weight = mix === undefined ? (kind.weight ?? 1) : (mix[kind.name] ?? 0);
    if (!(weight >= 0)) throw new Error(`The fleet's mix has "${kind.name}": ${weight}; a weight is 0 or more.`);
    if (weight === 0) continue;
    upTo += weight;
    rows.push({ kind, upTo });
  }
  if (rows.length === 0) throw new Error("The fleet's mix weighs every kind 0; give one of them a weight.");
  return rows;
}

function draw(random: Random, rows: { kind: Kind; upTo: number }[]): Kind {
  const point = random() * (rows.at(-1)?.upTo ?? 0);
  const row = rows.find(({ upTo }) => point < upTo) ?? rows.at(-1);
  if (row === undefined) throw new Error('There is no kind to draw.');
  return row.kind;
}

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
  const problems = findHostConflicts(hosts.map((host) => ({ ...host, isTarget: isTarget(host) })));
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
