import { expect, test } from 'vitest';
import { exportAll } from '../../../src/export/export-all.ts';
import type { DomainChange } from '../../../src/model/change.ts';
import { storedDomain } from '../../../src/model/domain/domain.ts';
import type { DomainRecord } from '../../../src/model/domain-record.ts';
import { UNKNOWN_HOST } from '../../../src/model/facts/host-facts.ts';
import { newFolder } from '../export-folder.ts';
import { readCsv } from '../read-back.ts';
import { instanceRecordOf } from '../record-of.ts';
import { changeOf, START, sourceOf } from '../row-of.ts';

const HOUR = 3_600_000;
const at = (hour: number) => new Date(START + hour * HOUR).toISOString();
const change = (hour: number, field: DomainChange['field'], from: DomainChange['from'], to: DomainChange['to']) =>
  changeOf('a.example.org', { at: START + hour * HOUR, field, from, to });
const found = [change(1, 'state', 'new', 'active'), change(1, 'identifiedAs', null, 'loops')];
const canonical = { host: { ...UNKNOWN_HOST, canonicalHost: storedDomain('b.example.org') } };

/** The tables of an export of `a.example.org`, which ended as its record says, and of the instance `b.example.org`. */
async function exportOf(overrides: Parameters<typeof instanceRecordOf>[1], changes: readonly DomainChange[]) {
  const dir = await newFolder();
  const records = [instanceRecordOf('a.example.org', overrides), instanceRecordOf('b.example.org')];
  const histories = () =>
    records.map(({ facts, ...record }, index) => ({
      ...{ record, facts, checkedAt: record.checkedAt, missing: record.missing, usage: () => [] },
      changes: () => (index === 0 ? changes : found),
    }));
  await exportAll({
    source: sourceOf({
      instances: { histories },
      changes: { published: () => changes },
      optOuts: { isHidden: (name) => name === 'hidden.example' },
    }),
    ...{ dir, now: () => START + 1_000 * HOUR, toolVersion: '1.0.0' },
  });
  return { dir, rows: await readCsv(dir, 'instances-all.csv') };
}

test.each([
  ['is listed', {}, [], null, null],
  [
    'runs other software',
    { identifiedAs: 'other' },
    [change(5, 'identifiedAs', 'loops', 'other')],
    'other-software',
    null,
  ],
  [
    'redirects',
    { identifiedAs: 'alias', aliasOf: storedDomain('b.example.org') },
    [change(5, 'identifiedAs', 'loops', 'alias')],
    ...(['redirects', 'b.example.org'] as const),
  ],
  [
    'redirects to a hidden host',
    { identifiedAs: 'alias', aliasOf: storedDomain('hidden.example') },
    [change(5, 'identifiedAs', 'loops', 'alias')],
    ...(['redirects', null] as const),
  ],
  ['only declines', { identifiedAs: null }, [change(5, 'identifiedAs', 'loops', null)], 'declined', null],
  ['is dead', { state: 'dead' }, [change(5, 'state', 'active', 'dead')], 'dead', null],
  ['is gone', { state: 'gone' }, [change(5, 'state', 'active', 'gone')], 'gone', null],
  ['waits', { state: 'new' }, [change(5, 'state', 'active', 'new')], 'waiting', null],
  [
    'is another name',
    { via: 'nodeinfo', ...canonical },
    [change(5, 'pointsTo', null, 'b.example.org'), change(5, 'flags', [], ['nodeinfo-other-host'])],
    ...(['same-instance', 'b.example.org'] as const),
  ],
] satisfies [string, Partial<DomainRecord>, DomainChange[], string | null, string | null][])(
  'a domain that once ran Loops and %s has a row with its last facts, when it came and went, and why',
  async (_, overrides, changes, ending, movedTo) => {
    const facts = ending === 'same-instance' ? { flags: ['nodeinfo-other-host' as const] } : {};
    const { rows } = await exportOf({ ...overrides, facts }, [...found, ...changes]);
    expect(rows.map(({ domain }) => domain)).toEqual(['a.example.org', 'b.example.org']);
    const leftAt = ending === null ? null : at(5);
    expect(rows[0]).toMatchObject({ limits_maxVideoSizeMB: '40', enteredAt: at(1), leftAt, ending, movedTo });
    expect(rows[1]).toMatchObject({ enteredAt: at(1), leftAt: null, ending: null, movedTo: null });
  },
);

test('a domain that left, came back and left again entered once and left last', async () => {
  const changes = [
    ...[
      change(2, 'state', 'active', 'dead'),
      change(3, 'state', 'dead', 'active'),
      change(4, 'state', 'active', 'gone'),
    ],
  ];
  const { rows } = await exportOf({ state: 'gone' }, [...found, ...changes]);
  expect(rows[0]).toMatchObject({ enteredAt: at(1), leftAt: at(4), ending: 'gone' });
});

test('changes begin with the first known facts of each domain that ever ran Loops, as of the visit that found them', async () => {
  const changes = [
    change(1, 'state', 'new', 'active'),
    change(2, 'software', 'pixelfed', 'loops'),
    change(2, 'identifiedAs', 'other', 'loops'),
    change(3, 'limits.maxVideoSizeMB', 20, 30),
    change(4, 'limits.maxVideoSizeMB', 30, 40),
    change(4, 'limits.maxBioLength', null, 80),
    change(5, 'state', 'active', 'gone'),
  ];
  const { dir } = await exportOf({ state: 'gone' }, changes);
  const rows = await readCsv(dir, 'changes.csv');
  expect(rows.slice(-changes.length).map(({ cause }) => cause)).toEqual(changes.map(() => 'visit'));
  const first = rows.filter(({ domain, cause }) => domain === 'a.example.org' && cause === 'first');
  expect(rows[0]).toEqual(first[0]);
  const [other, loops] = [at(1), at(2)];
  expect(Object.fromEntries(first.map(({ field, after, changedAt }) => [field, [after, changedAt]]))).toMatchObject({
    software: ['pixelfed', other],
    identifiedAs: ['other', other],
    version: ['1.0.0', other],
    'limits.maxVideoSizeMB': ['20', loops],
    'registration.open': ['true', loops],
    'limits.videoFormats': ['mp4; webm', loops],
  });
  expect(first.map(({ field }) => field)).not.toContain('limits.maxBioLength');
  expect(first.every(({ before }) => before === null)).toBe(true);
});
