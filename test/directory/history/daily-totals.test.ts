import { expect, test } from 'vitest';
import { DailyTotals } from '../../../src/directory/history/daily-totals.ts';
import { listedHistories } from '../../../src/directory/history/listed-history.ts';
import { dayOf } from '../../../src/directory/periods.ts';
import type { StatsPoint } from '../../../src/directory/schema/stats-file.ts';
import type { DomainChange } from '../../../src/model/change.ts';
import { byKey, FEATURES } from '../../../src/model/facts/fact-leaves.ts';
import { UNKNOWN_HOST } from '../../../src/model/facts/host-facts.ts';
import { type Hosting, UNKNOWN_HOSTING } from '../../../src/model/facts/hosting.ts';
import type { InstanceRecord } from '../../../src/model/instance-record.ts';
import type { StoreReader } from '../../../src/store/store-reader.ts';
import { historyOf, instanceRecordOf, type RecordedInstance } from '../../export/record-of.ts';
import { changeOf, START, sourceOf, usageOf } from '../../export/row-of.ts';
import { unknownLimits } from '../../model/facts/unknown-facts.ts';
import { simulateYear } from '../../simulation/simulate-year.ts';

const DAY = 86_400_000;

const historiesOf = (instances: readonly RecordedInstance[]): StoreReader =>
  sourceOf({ instances: { histories: () => instances.map(historyOf) } });
function statsPoints(source: StoreReader, at: number) {
  const totals = new DailyTotals(dayOf(at));
  for (const history of listedHistories(source)) totals.add(history);
  return [...totals.points()];
}
const pointsOf = (histories: readonly RecordedInstance[], at: number) => statsPoints(historiesOf(histories), at);
/** A change of a field on a day, counted from START. */
const changeTo = (
  domain: string,
  day: number,
  field: DomainChange['field'],
  from: DomainChange['from'],
  to: DomainChange['to'],
) => changeOf(domain, { at: START + day * DAY, field, from, to });
const identified = (domain: string, day: number) => changeTo(domain, day, 'identifiedAs', null, 'loops');

test('there is a point for every day since the first instance, including days without changes', () => {
  const past = { record: instanceRecordOf('a.example.org'), changes: [identified('a.example.org', 2)] };
  const points = pointsOf([past], START + 5 * DAY + 1);
  expect(points.map(({ day, instances }) => [day, instances])).toEqual([
    ['2026-01-03', 1],
    ['2026-01-04', 1],
    ['2026-01-05', 1],
    ['2026-01-06', 1],
  ]);
  expect(pointsOf([], START)).toEqual([]);
});

test('a changed fact counts from the day of its change, the previous value before it', () => {
  const domain = 'a.example.org';
  const record = instanceRecordOf(domain, { version: '3.0.0', state: 'failing' });
  const changes = [
    identified(domain, 0),
    changeTo(domain, 1, 'version', '1.0.0', '2.0.0'),
    changeTo(domain, 1, 'version', '2.0.0', '3.0.0'),
    changeTo(domain, 2, 'federation', null, true),
    changeTo(domain, 3, 'state', 'active', 'failing'),
  ];
  const points = pointsOf([{ record, changes }], START + 3 * DAY);
  expect(points.map(({ versions }) => versions.commonest)).toEqual([
    [{ name: '1.0.0', instances: 1 }],
    [{ name: '3.0.0', instances: 1 }],
    [{ name: '3.0.0', instances: 1 }],
    [{ name: '3.0.0', instances: 1 }],
  ]);
  expect(points.map(({ federation }) => federation)).toEqual([
    { yes: 0, no: 0, reporting: 0 },
    { yes: 0, no: 0, reporting: 0 },
    { yes: 1, no: 0, reporting: 1 },
    { yes: 1, no: 0, reporting: 1 },
  ]);
  expect(points.map(({ up, down }) => [up, down])).toEqual([
    [1, 0],
    [1, 0],
    [1, 0],
    [0, 1],
  ]);
});

test('an instance is counted only while it is listed', () => {
  const domain = 'a.example.org';
  const record = instanceRecordOf(domain, { state: 'dead' });
  const changes = [identified(domain, 0), changeTo(domain, 2, 'state', 'failing', 'dead')];
  const points = pointsOf([{ record, changes, usage: [usageOf(domain, { at: START })] }], START + 3 * DAY);
  expect(
    points.map(({ instances, usage, versions }) => [instances, usage.users.reporting, versions.reporting]),
  ).toEqual([
    [1, 1, 1],
    [1, 1, 1],
    [0, 0, 0],
    [0, 0, 0],
  ]);
});

test('a usage count is valid for seven days; a zero counts, an unknown count does not', () => {
  const [one, two] = ['a.example.org', 'b.example.org'];
  const points = pointsOf(
    [
      {
        record: instanceRecordOf(one),
        changes: [identified(one, 0)],
        usage: [usageOf(one, { at: START, users: 5, posts: null }), usageOf(one, { at: START + 9 * DAY, users: 0 })],
      },
      {
        record: instanceRecordOf(two),
        changes: [identified(two, 0)],
        usage: [usageOf(two, { at: START + DAY, users: 1_000_000_000 })],
      },
    ],
    START + 9 * DAY,
  );
  expect(points.map(({ usage }) => [usage.users.total, usage.users.reporting])).toEqual([
    [5, 1],
    ...Array.from({ length: 6 }, () => [1_000_000_005, 2]),
    [1_000_000_000, 1],
    [null, 0],
    [0, 1],
  ]);
  expect(points[0]?.usage.posts).toEqual({ total: null, reporting: 0, implausible: 0 });
});

test('implausible counts are in no total, and their number is stated', () => {
  const [honest, absurd, random] = ['a.example.org', 'b.example.org', 'c.example.org'];
  const points = pointsOf(
    [
      {
        record: instanceRecordOf(honest),
        changes: [identified(honest, 0)],
        usage: [usageOf(honest, { at: START, users: 5 })],
      },
      {
        record: instanceRecordOf(absurd),
        changes: [identified(absurd, 0)],
        usage: [
          usageOf(absurd, { at: START, users: 7 }),
          usageOf(absurd, { at: START + DAY, users: 9_000_000_000_000_000, activeMonth: null, posts: 3 }),
        ],
      },
      {
        record: instanceRecordOf(random, { facts: { flags: ['counts-random'] } }),
        changes: [identified(random, 0), changeTo(random, 2, 'flags', [], ['counts-random'])],
        usage: [usageOf(random, { at: START, users: 11 })],
      },
    ],
    START + 2 * DAY,
  );
  expect(points.map(({ usage }) => usage.users)).toEqual([
    { total: 23, reporting: 3, implausible: 0 },
    { total: 16, reporting: 2, implausible: 1 },
    { total: 5, reporting: 1, implausible: 2 },
  ]);
  expect(points.map(({ usage: { activeMonth, posts } }) => [activeMonth.implausible, posts.implausible])).toEqual([
    [0, 0],
    [0, 1],
    [1, 2],
  ]);
});

test('numbers have minimum, lower median and maximum; names have the most common and the number of others', () => {
  const records = Array.from({ length: 24 }, (_, i) =>
    instanceRecordOf(`i${i}.example.org`, {
      version: i < 3 ? '__proto__' : `1.${i}`,
      facts: {
        limits: {
          ...unknownLimits,
          maxVideoSizeMB: i === 0 ? null : i,
          maxVideoDurationSeconds: 0,
          videoFormats: null,
          maxBioLength: null,
        },
      },
    }),
  );
  const [point] = pointsOf(
    records.map((record) => ({ record })),
    START,
  );
  expect(point?.limits.maxVideoSizeMB).toEqual({ least: 1, median: 12, most: 23, reporting: 23 });
  expect(point?.limits.maxVideoDurationSeconds).toEqual({ least: 0, median: 0, most: 0, reporting: 24 });
  expect(point?.limits.maxBioLength).toEqual({ least: null, median: null, most: null, reporting: 0 });
  expect(point?.versions.commonest).toHaveLength(20);
  expect(point?.versions.commonest[0]).toEqual({ name: '__proto__', instances: 3 });
  expect(point?.versions).toMatchObject({ others: 2, reporting: 24 });
});

test('countries and networks count from the day on which the host moved, by what is known of its addresses now', () => {
  const [one, two] = ['a.example.org', 'b.example.org'];
  const hostedIn = (domain: string, hosting: Partial<Hosting>) => ({
    ...instanceRecordOf(domain),
    host: { ...UNKNOWN_HOST, hosting: { ...UNKNOWN_HOSTING, ...hosting } },
  });
  const points = pointsOf(
    [
      {
        record: hostedIn(one, { country: 'FR', network: 'Second Ltd' }),
        changes: [
          identified(one, 0),
          changeTo(one, 1, 'hosting.country', 'DE', null),
          changeTo(one, 1, 'hosting.behind', null, 'Fastly'),
          changeTo(one, 2, 'hosting.country', null, 'FR'),
          changeTo(one, 2, 'hosting.behind', 'Fastly', null),
          changeTo(one, 2, 'hosting.network', 'First Ltd', 'Second Ltd'),
        ],
      },
      { record: hostedIn(two, { country: 'DE' }), changes: [identified(two, 1)] },
    ],
    START + 2 * DAY,
  );
  const named = (...names: string[]) => ({
    ...{ commonest: names.map((name) => ({ name, instances: 1 })), others: 0, reporting: names.length },
  });
  expect(points.map(({ hosting }) => hosting)).toEqual([
    { country: named('DE'), network: named('First Ltd'), behind: named() },
    { country: named('DE'), network: named('First Ltd'), behind: named('Fastly') },
    { country: named('DE', 'FR'), network: named('Second Ltd'), behind: named() },
  ]);
});

test('an instance with two names is counted once, under the name listed on that day', () => {
  const [one, two] = ['a.example.org', 'b.example.org'];
  const secondary = instanceRecordOf(one, {
    host: { ...instanceRecordOf(one).host, canonicalHost: instanceRecordOf(two).domain },
  });
  const points = pointsOf(
    [
      // `pointsTo` is the published name of `canonicalHost` in changes.
      { record: secondary, changes: [identified(one, 0), changeTo(one, 1, 'pointsTo', null, two)] },
      {
        record: instanceRecordOf(two),
        changes: [
          identified(two, 0),
          changeTo(two, 2, 'state', 'failing', 'dead'),
          changeTo(two, 3, 'state', 'dead', 'active'),
        ],
      },
    ],
    START + 3 * DAY,
  );
  expect(points.map(({ instances }) => instances)).toEqual([2, 1, 1, 1]);
});

/** The parts of a point that can be computed from the listed instances alone. */
function expectedPoint(instances: readonly InstanceRecord[]): Partial<StatsPoint> {
  const answers = (read: (record: InstanceRecord) => boolean | null) => {
    const values = instances.map(read);
    const yes = values.filter((value) => value === true).length;
    const no = values.filter((value) => value === false).length;
    return { yes, no, reporting: yes + no };
  };
  return {
    instances: instances.length,
    up: instances.filter(({ state }) => state === 'active').length,
    down: instances.filter(({ state }) => state === 'failing').length,
    federation: answers(({ facts }) => facts.federation),
    registration: {
      open: answers(({ facts }) => facts.registration.open),
      mode: expect.objectContaining({
        reporting: instances.filter(({ facts }) => facts.registration.mode !== null).length,
      }),
    },
    features: byKey(FEATURES, ({ key }) => answers(({ facts }) => facts.features[key])),
  };
}

test('over 20 simulated days the last point matches the listed instances, and the points of past days never change', async () => {
  const published = new Map<string, string>();
  const differences: string[] = [];
  let checked = 0;
  using _simulation = await simulateYear({
    hosts: 40,
    seed: 11,
    days: 20,
    exportEveryDays: 0,
    onDay: (at, day, app) => {
      if (day % 5 !== 3) return;
      using reader = app.store.reader({ snapshot: true });
      const points = statsPoints(reader, at);
      expect(points.at(-1)).toMatchObject(expectedPoint([...reader.instances.listed(at)]));
      for (const point of points.filter(({ day: pointDay }) => Date.parse(pointDay) < dayOf(at) * DAY)) {
        const text = JSON.stringify(point);
        const before = published.get(point.day) ?? text;
        if (before !== text) differences.push(`${before}\n${text}`);
        published.set(point.day, before);
        checked += 1;
      }
    },
  });
  expect(differences).toEqual([]);
  // Every fifth day, all earlier days are compared: 93 comparisons in 30 days, 42 in 20.
  expect(checked).toBeGreaterThan(30);
}, 120_000);
