import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { writeSourceLists } from '../../src/demo/source-lists.ts';
import { populationOf } from '../../src/directory/population/population-of.ts';
import { SourceOverlap } from '../../src/directory/population/source-overlap.ts';
import { createFleet } from '../../src/reference/index.ts';

test('the lists of the demo contain each host, and overlap enough for an estimate, which is close to the truth', async () => {
  await using fleet = await createFleet({ hosts: 240 });
  const folder = await mkdtemp(join(tmpdir(), 'lists-'));
  const { reportedLoops } = await writeSourceLists(folder, fleet.hosts);
  const lists = await Promise.all(
    ['directory.json', 'peers.txt', 'seeds.txt'].map(async (name) => readFile(join(folder, name), 'utf8')),
  );
  const overlap = new SourceOverlap();
  for (const { domain, expect: expected } of fleet.hosts) {
    const listedBy = lists.flatMap((text, index) => (text.includes(domain) ? [String(index)] : []));
    expect(listedBy).not.toEqual([]);
    if (expected?.verdict === 'loops') overlap.add(listedBy);
  }
  const { known, atLeast } = populationOf(overlap);
  expect(known).toBeGreaterThan(70);
  expect((atLeast ?? 0) / known).toBeGreaterThanOrEqual(1);
  expect((atLeast ?? 0) / known).toBeLessThan(1.05);
  expect(reportedLoops.size).toBeLessThan(known);
});
