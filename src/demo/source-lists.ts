import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FleetHost } from '../reference/index.ts';

const LISTS = ['directory', 'peers', 'seeds'] as const;
type List = (typeof LISTS)[number];
/** Real lists share most of their entries. */
const SHARE_LISTED = { directory: 0.8, peers: 0.7, seeds: 0.5 };

/** The lists that contain a host, independent of its kind; the seeds include what is on no other list. */
function listsOf({ domain }: FleetHost): List[] {
  const digest = createHash('sha256').update(domain.replace(/:\d+$/, '')).digest();
  const lists = LISTS.filter((list, index) => digest.readUInt8(index) < 256 * SHARE_LISTED[list]);
  return lists.length > 0 ? lists : ['seeds'];
}

/** Writes the demo's source files. Returns the entries for the setting `sources`, and the domains that a list reports as Loops. */
export async function writeSourceLists(folder: string, hosts: readonly FleetHost[]) {
  const listed = hosts.map((host) => ({ host, lists: listsOf(host) }));
  const hostsIn = (list: List) => listed.flatMap(({ host, lists }) => (lists.includes(list) ? [host] : []));
  const directory = hostsIn('directory').map(({ domain, expect }) => ({ domain, software: expect?.software ?? null }));
  const lines = (list: List) =>
    `${hostsIn(list)
      .map(({ domain }) => domain)
      .join('\n')}\n`;
  await writeFile(join(folder, 'directory.json'), JSON.stringify(directory));
  await writeFile(join(folder, 'peers.txt'), lines('peers'));
  await writeFile(join(folder, 'seeds.txt'), lines('seeds'));
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
