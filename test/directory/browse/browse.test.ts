import { describe, expect, test } from 'vitest';
import { browse } from '../../../src/directory/browse/browse.ts';
import {
  type Choice,
  filtersOf,
  NAMES,
  NO_CHOICE,
  ORDERS,
  withFilter,
  withoutFilter,
} from '../../../src/directory/browse/choice.ts';
import { fairOrder } from '../../../src/directory/browse/fair-order.ts';
import { filterValuesOf } from '../../../src/directory/browse/filter-values.ts';
import { MINIMUMS, STEPS } from '../../../src/directory/measures.ts';
import { readSnapshot, type Snapshot } from '../../../src/directory/snapshot.ts';
import type { InstanceRecord } from '../../../src/model/instance-record.ts';
import { sourceOf } from '../../export/row-of.ts';
import { sampleRecords } from './sample-records.ts';

const day = 86_400_000;
const START = Date.UTC(2026, 0, 1);

async function snapshotOf(records: readonly InstanceRecord[], at = START): Promise<Snapshot> {
  const reader = sourceOf({
    instances: { listed: () => records.values() },
    crawler: { newestRelease: () => ({ version: '1.2.0', from: 'release' }) },
  });
  const signal = new AbortController().signal;
  return await readSnapshot({ reader, at, previous: null, clock: () => 0, signal });
}

const domains = (instances: readonly { entry: { domain: string } }[]) => instances.map(({ entry }) => entry.domain);
const choose = (changes: Partial<Choice>): Choice => ({ ...NO_CHOICE, ...changes });

describe('the fair order', () => {
  test('is the same all day, and different the day after', async () => {
    const records = sampleRecords(200);
    const first = domains(fairOrder(await snapshotOf(records)));
    expect(domains(fairOrder(await snapshotOf(records, START + day / 2)))).toEqual(first);
    expect(domains(fairOrder(await snapshotOf(records, START + day)))).not.toEqual(first);
    expect(first.toSorted()).toEqual(domains((await snapshotOf(records)).instances));
  });

  test('favours neither large instances nor early names', async () => {
    const records = sampleRecords(60);
    const positionSums = new Map<string, number>();
    for (let days = 0; days < 200; days++) {
      const order = fairOrder(await snapshotOf(records, START + days * day)).filter(
        ({ entry }) => entry.status === 'up',
      );
      for (const [place, { entry }] of order.entries()) {
        positionSums.set(entry.domain, (positionSums.get(entry.domain) ?? 0) + place / (order.length - 1));
      }
    }
    for (const sum of positionSums.values()) expect(Math.abs(sum / 200 - 0.5)).toBeLessThan(0.08);
  });

  test('puts instances that are down last', async () => {
    const order = fairOrder(await snapshotOf(sampleRecords(60))).map(({ entry }) => entry.status);
    expect(order.indexOf('down')).toBe(order.lastIndexOf('up') + 1);
  });
});

describe('a version', () => {
  test('is behind from one newer release on, and far behind from three; older releases count if two registrable domains run them', async () => {
    const versions = [
      '1.2.0',
      '1.1.0',
      '1.1.0',
      '1.0.0',
      '1.0.0',
      '1.0.5',
      '0.9.0',
      '0.9.0',
      'nightly',
      null,
      'v1.2.0',
      '9.9.9',
    ];
    const records = sampleRecords(versions.length).map((record, index) => ({
      ...record,
      facts: { ...record.facts, version: versions[index] ?? null },
    }));
    const snapshot = await snapshotOf(records);
    const filterValues = filterValuesOf(snapshot);
    const standing = (version: string | null) =>
      snapshot.instances
        .filter(({ entry }) => entry.version === version)
        .map((instance) => filterValues.get(instance)?.standing)[0];
    expect(versions.map(standing)).toEqual([
      'current',
      ...['behind', 'behind', 'behind', 'behind'],
      // Only one domain runs 1.0.5, so it is no release, but its own standing is known.
      'behind',
      ...['far-behind', 'far-behind'],
      ...['unknown', 'unknown'],
      ...['current', 'current'],
    ]);
  });
});

describe('browsing', () => {
  test('counts for every filter what choosing it would find', async () => {
    const snapshot = await snapshotOf(sampleRecords(300));
    const choices = [
      NO_CHOICE,
      choose({ registration: 'open' }),
      choose({ registration: 'open', features: ['atomFeeds'] }),
      choose({ q: 'instance 1', standing: 'behind', status: 'up' }),
      choose({ 'maxVideoSizeMB.min': 100, 'ageDays.min': 30 }),
      choose({ 'growth.min': 10, 'maxVideoDurationSeconds.min': 180, status: 'up', features: ['atomFeeds'] }),
      choose({ country: 'DE', status: 'up' }),
      choose({ network: 'First Host GmbH', country: 'FI', version: '1.1.0' }),
      choose({ version: '1.2.0', features: ['atomFeeds', 'forYouFeed'], registration: 'unknown' }),
    ];
    for (const choice of choices) {
      const browsed = browse(snapshot, choice);
      const { registration, standing, feature, status, without, instances } = browsed;
      const find = (next: Choice) => browse(snapshot, next).instances.length;
      for (const [value, count] of registration) expect(find({ ...choice, registration: value })).toBe(count);
      for (const [value, count] of standing) expect(find({ ...choice, standing: value })).toBe(count);
      for (const [value, count] of status) expect(find({ ...choice, status: value })).toBe(count);
      for (const key of NAMES)
        for (const [value, count] of browsed[key])
          if (value !== null) expect(find({ ...choice, [key]: value })).toBe(count);
      for (const [value, count] of feature) expect(find(withFilter(choice, { key: 'feature', value }))).toBe(count);
      for (const key of MINIMUMS)
        for (const [value, count] of browsed[key])
          if (value !== null) expect(find({ ...choice, [key]: value })).toBe(count);
      for (const { filter, count } of without) expect(find(withoutFilter(choice, filter))).toBe(count);
      expect(without.map(({ filter }) => filter)).toEqual(filtersOf(choice));
      expect(instances.length).toBe(find(choice));
    }
  });

  test('without a result counts what it would find without each filter', async () => {
    const snapshot = await snapshotOf(sampleRecords(60));
    const { instances, without } = browse(snapshot, choose({ q: 'instance 7', registration: 'closed', status: 'up' }));
    expect(instances).toEqual([]);
    const counts = Object.fromEntries(without.map(({ filter, count }) => [filter.key, count]));
    expect(counts.q).toBeGreaterThan(0);
    expect(counts.registration).toBeGreaterThan(0);
    expect(counts.status).toBe(0);
  });

  test.each(ORDERS)('in the order %s lists every instance once', async (order) => {
    const snapshot = await snapshotOf(sampleRecords(80));
    expect(domains(browse(snapshot, choose({ order })).instances).toSorted()).toEqual(domains(snapshot.instances));
  });

  test('sorts unknown values last', async () => {
    const snapshot = await snapshotOf(sampleRecords(80));
    const users = browse(snapshot, choose({ order: 'users' })).instances.map(({ counts }) => counts.users);
    const known = users.filter((count) => count !== null);
    expect(users.slice(0, known.length)).toEqual(known.toSorted((one, other) => other - one));
    expect(known.length).toBeLessThan(users.length);
    const uptime = browse(snapshot, choose({ order: 'uptime' })).instances.map(({ entry }) => entry.uptime.month);
    expect(uptime[0]).toBe(1);
    expect(uptime.at(-1)).toBeNull();
    const growth = browse(snapshot, choose({ order: 'growth' })).instances.map(({ entry }) => entry.growth);
    const grown = growth.filter((change) => change !== null);
    expect(growth.slice(0, grown.length)).toEqual(grown.toSorted((one, other) => other - one));
    expect([grown.at(-1), growth.at(-1)]).toEqual([expect.toSatisfy((change) => change < 0), null]);
  });

  test('lists countries and networks by their number of instances, unknown ones last', async () => {
    const { country, network } = browse(await snapshotOf(sampleRecords(70)), NO_CHOICE);
    expect([...country]).toEqual([
      ...[
        ['DE', 20],
        ['FI', 10],
        ['FR', 10],
        ['JP', 10],
      ],
      [null, 20],
    ]);
    expect([...network]).toEqual([
      ...[
        ['First Host GmbH', 30],
        ['Cloudflare, Inc.', 10],
        ['Second & Sons', 10],
      ],
      [null, 20],
    ]);
  });

  test('finds no unknown number, and counts those found', async () => {
    const snapshot = await snapshotOf(sampleRecords(80));
    for (const key of MINIMUMS) {
      const [least] = STEPS[key];
      expect(browse(snapshot, choose({ [key]: least }))[key].get(null), key).toBe(0);
    }
    const unknown = snapshot.instances.filter(({ entry }) => entry.growth === null).length;
    expect(browse(snapshot, NO_CHOICE)['growth.min'].get(null)).toBe(unknown);
  });
});
