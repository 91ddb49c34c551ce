import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FleetHost } from '../reference/index.ts';

/** Every host is in at least one of the three lists, and a fifth of them in two, because real lists overlap too. */
const isInDirectory = (index: number) => index % 5 < 2;
const isInPeers = (index: number) => index % 5 === 1 || index % 5 === 2;
const isInSeeds = (index: number) => !isInDirectory(index) && !isInPeers(index);

/** Writes the demo's source files. Returns the entries for the setting `sources`, and the domains that a list reports as Loops. */
export async function writeSourceLists(folder: string, hosts: readonly FleetHost[]) {
  const hostsIn = (isIn: (index: number) => boolean) => hosts.filter((_, index) => isIn(index));
  const directory = hostsIn(isInDirectory).map(({ domain, expect }) => ({
    domain,
    software: expect?.software ?? null,
  }));
  const lines = (isIn: (index: number) => boolean) =>
    `${hostsIn(isIn)
      .map(({ domain }) => domain)
      .join('\n')}\n`;
  await writeFile(join(folder, 'directory.json'), JSON.stringify(directory));
  await writeFile(join(folder, 'peers.txt'), lines(isInPeers));
  await writeFile(join(folder, 'seeds.txt'), lines(isInSeeds));
  const sources = [
    { type: 'file', id: 'directory', path: join(folder, 'directory.json'), softwareKey: 'software' },
    { type: 'file', id: 'peers', path: join(folder, 'peers.txt') },
    { type: 'file', id: 'seeds', path: join(folder, 'seeds.txt') },
  ];
  const reportedLoops = directory
    .filter(({ software }) => software?.toLowerCase() === 'loops')
    .map(({ domain }) => domain);
  return { sources, reportedLoops: new Set(reportedLoops) };
}
