import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { expect } from 'vitest';
import { datesIn } from '../../src/export/history/dated-files.ts';
import { filesIn, manifestFaults, readManifest } from './export-folder.ts';
import { dayOfGeneration, domainsAfter, exportGeneration } from './export-generation.ts';
import { readDated } from './history/dated-files.ts';

const TIMES = /(?<="(?:generatedAt|created)": ?"|<updated>)\d{4}-\d\d-\d\dT[\d:.]+Z/g;
/** An entry of the manifest or a resource of the data package that depends on the dated files. */
const HISTORY_ENTRY = /\s*\{\s*"name": "(?:history[-/]|datapackage\.json)[^}]*\},?/g;
const isHistory = (name: string) => name.startsWith('history/');
const isTemporary = (name: string) => name.endsWith('.tmp');

/**
 * The contents of the files in a folder, apart from the dated files and their index, which hold earlier exports. Without `generatedAt`: an
 * unchanged file keeps the time of an earlier export.
 */
async function contentsOf(dir: string): Promise<Map<string, string>> {
  const names = Object.keys(await filesIn(dir)).filter((name) => !isTemporary(name) && !isHistory(name));
  const contents = names.map(async (name) => {
    const bytes = await readFile(join(dir, name));
    const text = (name.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('latin1');
    return [name, text.replace(TIMES, '').replace(HISTORY_ENTRY, '')] as const;
  });
  return new Map(await Promise.all(contents));
}

export interface Kills {
  /** Number of temporary files that the kills left. */
  leftovers: number;
  /** Number of kills between two renames, which left files of two generations. */
  betweenRenames: number;
  /** Names of all exported files. */
  names: readonly string[];
}

/**
 * Kills an exporting process `rounds` times, each at a random time. Asserts after each kill that every file is identical, times aside,
 * to that of a complete export of the current or the previous generation, and that the manifest is never newer than a file it lists. Asserts
 * at the end that a further export leaves a consistent folder. Every dated file is whole, as one of the generations wrote it.
 */
export async function killExports(scratch: string, rounds: number): Promise<Kills> {
  const dir = join(scratch, 'killed');
  const program = join(import.meta.dirname, 'export-forever.ts');
  const complete = new Map<number, Map<string, string>>();
  const completeExport = async (generation: number) => {
    const known = complete.get(generation);
    if (known !== undefined) return known;
    const folder = join(scratch, `whole-${generation}`);
    await mkdir(folder);
    await exportGeneration(folder, generation);
    const contents = await contentsOf(folder);
    complete.set(generation, contents);
    return contents;
  };
  const kills: Kills = { leftovers: 0, betweenRenames: 0, names: [] };
  await exportGeneration(dir, 0);
  let generation = 0;
  const interrupted = new Set<number>();
  for (let round = 0; round < rounds; round++) {
    const child = spawn(process.execPath, [program, dir, String(generation + 1)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let output = '';
    child.stdout.on('data', (text) => {
      output += text;
    });
    const startedAt = performance.now();
    await once(child.stdout, 'data');
    // The time to the first output is about half start-up and half one export, so the kill hits a random moment of the next export.
    await sleep((Math.random() * (performance.now() - startedAt)) / 2);
    child.kill('SIGKILL');
    await once(child, 'close');

    // The last generation printed is done. The next may be done without having been printed, and some files of the one after it may be in place.
    const done = Number(output.trimEnd().split('\n').at(-1));
    const candidates = [done, done + 1, done + 2];
    const found = await contentsOf(dir);
    // A file that is the same in several generations matches all of them, in ascending order.
    const generationsOf = new Map<string, number[]>();
    for (const [name, content] of found) {
      const matching: number[] = [];
      for (const candidate of candidates)
        if ((await completeExport(candidate)).get(name) === content) matching.push(candidate);
      expect(matching, `${name} is not of a complete export`).not.toEqual([]);
      generationsOf.set(name, matching);
    }
    const names = [...found.keys()];
    expect(names).toEqual([...(await completeExport(done)).keys()]);
    const newest = Math.max(...[...generationsOf.values()].map((matching) => matching[0] ?? 0));
    for (const [name, matching] of generationsOf)
      expect(matching.at(-1), `${name} is too old`).toBeGreaterThanOrEqual(newest - 1);
    const manifestGeneration = generationsOf.get('manifest.json')?.[0] ?? Number.NaN;
    for (const [name, matching] of generationsOf)
      expect(matching.at(-1), `the manifest is ahead of ${name}`).toBeGreaterThanOrEqual(manifestGeneration);
    const faults = (await manifestFaults(dir)).filter((name) => !isTemporary(name) && !isHistory(name));
    expect(faults.length === 0 || newest > manifestGeneration, `the manifest does not fit ${faults}`).toBe(true);
    expect((await readManifest(dir)).files.filter(({ name }) => !isHistory(name)).length).toBe(names.length - 1);
    for (const candidate of candidates.slice(1)) interrupted.add(candidate);
    expectWholeHistory(dir, candidates, interrupted);

    kills.names = names;
    if (newest > manifestGeneration) kills.betweenRenames += 1;
    kills.leftovers += Object.keys(await filesIn(dir)).filter(isTemporary).length;
    generation = newest;
    for (const old of [...complete.keys()].filter((key) => key < generation)) complete.delete(old);
  }
  await exportGeneration(dir, generation + 1);
  expect(await manifestFaults(dir)).toEqual([]);
  return kills;
}

/**
 * @param candidates the generations that may have written a dated file last.
 * @param interrupted the generations that may have no dated file, because a kill hit their only export.
 */
function expectWholeHistory(dir: string, candidates: readonly number[], interrupted: ReadonlySet<number>): void {
  const dates = datesIn(dir);
  for (let generation = 0; generation <= Math.max(...candidates); generation++) {
    const date = dayOfGeneration(generation);
    if (!dates.includes(date)) {
      expect([...interrupted], `${date} is missing`).toContain(generation);
      continue;
    }
    const { instances } = readDated(dir, date);
    expect(instances.filter(({ version }) => version !== String(generation))).toEqual([]);
    const found = JSON.stringify(instances.map(({ domain }) => domain));
    const written = candidates.filter((candidate) => candidate >= generation);
    expect(
      written.some((candidate) => JSON.stringify(domainsAfter(generation, candidate)) === found),
      `${date} is not as an export wrote it`,
    ).toBe(true);
  }
}
