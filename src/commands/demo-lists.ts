import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FleetHost } from '../reference/index.ts';

/** A third of the hosts is in two lists of three, as in the world; all are in one at least. */
const DIRECTORY = (place: number) => place % 5 < 2;
const PEERS = (place: number) => place % 5 === 1 || place % 5 === 2;
const SEEDS = (place: number) => !DIRECTORY(place) && !PEERS(place);

/** Writes the lists that the demo finds its hosts by; answers the entries of `sources` that name them, and whom one of them says to be Loops. */
export async function writeDemoLists(folder: string, hosts: readonly FleetHost[]) {
  const chosen = (isIn: (place: number) => boolean) => hosts.filter((_, place) => isIn(place));
  const directory = chosen(DIRECTORY).map(({ domain, expect }) => ({ domain, software: expect?.software ?? null }));
  const lines = (isIn: (place: number) => boolean) =>
    `${chosen(isIn)
      .map(({ domain }) => domain)
      .join('\n')}\n`;
  await writeFile(join(folder, 'directory.json'), JSON.stringify(directory));
  await writeFile(join(folder, 'peers.txt'), lines(PEERS));
  await writeFile(join(folder, 'seeds.txt'), lines(SEEDS));
  const sources = [
    { type: 'file', id: 'directory', path: join(folder, 'directory.json'), softwareKey: 'software' },
    { type: 'file', id: 'peers', path: join(folder, 'peers.txt') },
    { type: 'file', id: 'seeds', path: join(folder, 'seeds.txt') },
  ];
  const saidLoops = directory.filter(({ software }) => software?.toLowerCase() === 'loops').map(({ domain }) => domain);
  return { sources, saidLoops: new Set(saidLoops) };
}
