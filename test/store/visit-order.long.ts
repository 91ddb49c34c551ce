import { expect, test } from 'vitest';
import { type Domain, storedDomain } from '../../src/model/domain/domain.ts';
import { openStore } from '../../src/store/open-store.ts';
import type { Store } from '../../src/store/store.ts';
import { candidates, readOnce } from './sample-source.ts';
import { loopsVisit, recordedVisit, unreachableVisit } from './sample-visit.ts';
import { scratchPath, withSqlite } from './scratch.ts';

const FLOOD = 100_000;
const NOW = 100;

const namesOf = (group: string, count: number): Domain[] =>
  Array.from({ length: count }, (_, index) => storedDomain(`${group}${index}.example.org`));
const groupOf = (domain: Domain): string => domain.replace(/\d.*/, '');

/** Enters due domains that earlier visits left live, known or dead. */
function enterKnown(store: Store, path: string): void {
  const known = { live: 2_000, known: 1_000, dead: 400 };
  for (const [group, count] of Object.entries(known)) store.enter(namesOf(group, count), 1);
  const updateOf = (group: string, columns: string) =>
    `update domains set last_visit = 1, rank = null, ${columns} where domain like '${group}%';`;
  withSqlite(path, (sqlite) => {
    sqlite.exec(updateOf('live', `state = 'active', identified_as = 'loops', was_ever_loops = 1`));
    sqlite.exec(updateOf('known', `state = 'active', identified_as = 'other'`));
    sqlite.exec(updateOf('dead', `state = 'dead'`));
  });
}

function visit(store: Store, count: number): string[] {
  const order: string[] = [];
  while (order.length < count) {
    const leased = store.due.pick(50, NOW);
    order.push(...leased.map(({ record }) => groupOf(record.domain)));
    store.record(
      leased.map((picked) => {
        const { domain } = picked.record;
        const isLoops = ['live', 'reported'].includes(groupOf(domain));
        return recordedVisit(picked, NOW, isLoops ? loopsVisit(domain, NOW) : unreachableVisit(domain, NOW));
      }),
    );
  }
  return order;
}

const otherLanes: readonly string[] = ['live', 'known', 'dead'];
const newOf = (order: readonly string[]) => order.filter((group) => !otherLanes.includes(group));
const count = (order: readonly string[], group: string) => order.filter((name) => name === group).length;

test('each lane and each source, even one added later, gets its share of 3,000 visits while one source has 100,000 waiting domains', async () => {
  const path = scratchPath();
  await using store = await openStore({ path });
  enterKnown(store, path);
  readOnce(store, 'flood', candidates(namesOf('flood', FLOOD)), 2);
  for (const [source, listed] of Object.entries({ a: 40, b: 100, c: 160 })) {
    readOnce(store, source, candidates(namesOf(source, listed)), 3);
  }
  readOnce(store, 'reporter', candidates(namesOf('reported', 120), 'loops'), 4);

  const before = visit(store, 1_500);
  const newBefore = newOf(before);
  readOnce(store, 'late', candidates(namesOf('late', 200)), 5);
  const after = visit(store, 1_500);
  const newAfter = newOf(after);

  // The lanes live, known and dead and the lane of new domains have the weights 8, 3, 1 and 8.
  for (const order of [before, after]) {
    expect([...otherLanes.map((lane) => count(order, lane)), newOf(order).length]).toEqual([600, 225, 75, 600]);
  }
  // Reported domains have a weight of 12 at first. Then each of four sources has every fourth visit until its list ends.
  expect(count(newBefore.slice(0, 184), 'reported')).toBe(120);
  const early = newBefore.slice(0, 120 + 4 * 40);
  expect(['flood', 'a', 'b', 'c'].map((source) => count(early, source))).toEqual([40, 40, 40, 40]);
  const middle = newBefore.slice(early.length, early.length + 3 * 60);
  expect(['flood', 'b', 'c'].map((source) => count(middle, source))).toEqual([60, 60, 60]);
  expect(count(newBefore, 'c')).toBe(160);
  // The source added later is served at once and alternates with the flood, which gets all visits after the list ends.
  expect(newAfter.indexOf('late')).toBeLessThan(2);
  expect(count(newAfter.slice(0, 400), 'late')).toBe(200);
  expect(count(newAfter.slice(0, 400), 'flood')).toBe(200);
  expect(count(newAfter.slice(400), 'flood')).toBe(200);
});
