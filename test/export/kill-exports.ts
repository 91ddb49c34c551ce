import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { expect } from 'vitest';
import { exportAll } from '../../src/export/export-all.ts';
import { filesIn, manifestFaults, readManifest } from './export-folder.ts';
import { generatedSource } from './generated-source.ts';

const DOMAINS = 1000;
const INSTANCES = 200;
const TIMES = /(?<="generatedAt": ?"|<updated>)\d{4}-\d\d-\d\dT[\d:.]+Z/g;
const isTemporary = (name: string) => name.endsWith('.tmp');

/** What `export-forever.ts` writes as a generation. */
export const exportGeneration = (dir: string, generation: number) =>
  exportAll({
    source: generatedSource(DOMAINS, INSTANCES, generation),
    dir,
    now: () => Date.UTC(2026, 0, 1) + generation * 1000,
    toolVersion: '1.0.0',
  });

/** What the files of a folder say, but for the time of their generation, which of a file that did not change is an earlier one. */
async function contentsOf(dir: string): Promise<Map<string, string>> {
  const names = Object.keys(await filesIn(dir)).filter((name) => !isTemporary(name));
  const contents = names.map(async (name) => {
    const bytes = await readFile(join(dir, name));
    const text = (name.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('latin1');
    return [name, text.replace(TIMES, '')] as const;
  });
  return new Map(await Promise.all(contents));
}

export interface Kills {
  /** Temporary files that the kills left. */
  leftovers: number;
  /** Kills that fell between two renames: files of two generations lay beside each other. */
  betweenRenames: number;
  /** Names of all files that were there. */
  names: readonly string[];
}

/**
 * Kills an exporting process so many times, each at another moment, and asserts after each that every file is, byte for byte, one that a
 * whole export writes: of the generation at work or of the one before; that the manifest is never ahead of what it lists; and, at the
 * end, that an export that nobody kills puts everything in order.
 */
export async function killExports(scratch: string, rounds: number): Promise<Kills> {
  const dir = join(scratch, 'killed');
  const program = join(import.meta.dirname, 'export-forever.ts');
  const whole = new Map<number, Map<string, string>>();
  const wholeOf = async (generation: number) => {
    const known = whole.get(generation);
    if (known !== undefined) return known;
    const folder = join(scratch, `whole-${generation}`);
    await mkdir(folder);
    await exportGeneration(folder, generation);
    const contents = await contentsOf(folder);
    whole.set(generation, contents);
    return contents;
  };
  const kills: Kills = { leftovers: 0, betweenRenames: 0, names: [] };
  await exportGeneration(dir, 0);
  let generation = 0;
  for (let round = 0; round < rounds; round++) {
    const child = spawn(process.execPath, [program, dir, String(DOMAINS), String(generation + 1)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let said = '';
    child.stdout.on('data', (text) => {
      said += text;
    });
    const startedAt = performance.now();
    await once(child.stdout, 'data');
    // Spread over the time that an export takes, about half of what the first took with the start of the process.
    await sleep((Math.random() * (performance.now() - startedAt)) / 2);
    child.kill('SIGKILL');
    await once(child, 'close');

    // The last one said is done; the next may be too, without having been said.
    const done = Number(said.trimEnd().split('\n').at(-1));
    const candidates = [done, done + 1, done + 2];
    const found = await contentsOf(dir);
    const of = new Map<string, number[]>();
    for (const [name, content] of found) {
      const matching: number[] = [];
      for (const candidate of candidates)
        if ((await wholeOf(candidate)).get(name) === content) matching.push(candidate);
      expect(matching, `${name} is of no whole export`).not.toEqual([]);
      of.set(name, matching);
    }
    const names = [...found.keys()];
    expect(names).toEqual([...(await wholeOf(done)).keys()]);
    const newest = Math.max(...[...of.values()].map((matching) => matching[0] ?? 0));
    for (const [name, matching] of of) expect(matching.at(-1), `${name} is too old`).toBeGreaterThanOrEqual(newest - 1);
    const manifest = of.get('manifest.json')?.[0] ?? Number.NaN;
    for (const [name, matching] of of)
      expect(matching.at(-1), `the manifest is ahead of ${name}`).toBeGreaterThanOrEqual(manifest);
    const faults = (await manifestFaults(dir)).filter((name) => !isTemporary(name));
    expect(faults.length === 0 || newest > manifest, `the manifest does not fit ${faults}`).toBe(true);
    expect((await readManifest(dir)).files.length).toBe(names.length - 1);

    kills.names = names;
    if (newest > manifest) kills.betweenRenames += 1;
    kills.leftovers += Object.keys(await filesIn(dir)).filter(isTemporary).length;
    generation = newest;
    for (const old of [...whole.keys()].filter((key) => key < generation)) whole.delete(old);
  }
  await exportGeneration(dir, generation + 1);
  expect(await manifestFaults(dir)).toEqual([]);
  return kills;
}
