import { expect, test } from 'vitest';
import { instanceEntryOf } from '../../../src/directory/instance-entry-of.ts';
import { directoryDifferenceOf } from '../../../src/export/diff/directory-difference-of.ts';
import { directoryDifferenceText } from '../../../src/export/diff/directory-difference-text.ts';
import type { DomainLookup } from '../../../src/export/diff/moved-to.ts';
import { DirectoryDifference } from '../../../src/export/schema/directory-difference.ts';
import { storedDomain } from '../../../src/model/domain/domain.ts';
import { domainRecordOf, instanceRecordOf } from '../record-of.ts';

const [from, to] = ['2026-03-01T00:00:00.000Z', '2026-04-01T00:00:00.000Z'];

type Directory = Parameters<typeof directoryDifferenceOf>[0]['instances'];

function diff(before: Directory, after: Directory, lookup: Partial<DomainLookup> | null = {}) {
  const listed = new Set<string>(after.map(({ domain }) => domain));
  return DirectoryDifference.parse(
    directoryDifferenceOf(
      { generatedAt: from, instances: before },
      { generatedAt: to, instances: after },
      lookup && {
        listingOf: (domain) => (listed.has(domain) ? { listed: true } : { listed: false, because: 'dead' }),
        find: () => null,
        ...lookup,
      },
    ),
  );
}

const instance = (domain: string, overrides: Parameters<typeof instanceRecordOf>[1] = {}) =>
  instanceEntryOf(instanceRecordOf(domain, overrides));
/** The changes by kind, without the kinds that have none. */
const changesIn = (difference: DirectoryDifference) =>
  Object.fromEntries(Object.entries(difference).filter(([, value]) => Array.isArray(value) && value.length > 0));

test('two equal directories have no difference, and the text says so', () => {
  const difference = diff(
    [instance('a.example'), instance('b.example')],
    [instance('a.example'), instance('b.example')],
  );
  expect(changesIn(difference)).toEqual({});
  expect(difference).toMatchObject({ from: '2026-03-01T00:00:00.000Z', listed: { before: 2, after: 2 } });
  expect(directoryDifferenceText(difference)).toContain('Nothing changed.');
});

test('an instance that only the later directory lists is new; one that only the earlier lists is gone, with the reason', () => {
  const difference = diff(
    [instance('a.example'), instance('c.example')],
    [instance('b.example'), instance('c.example'), instance('d.example')],
  );
  expect(changesIn(difference)).toEqual({
    new: [
      { domain: 'b.example', name: 'Loops', version: '1.0.0' },
      { domain: 'd.example', name: 'Loops', version: '1.0.0' },
    ],
    gone: [{ domain: 'a.example', name: 'Loops', because: 'dead' }],
  });
});

test.each([
  ['1.0.0-beta.9', '1.0.0-beta.14', 'upgraded'],
  ['1.0.0', '1.0.0-beta.14', 'downgraded'],
  ['1.0.0', 'main', 'versionChanged'],
])('a change from version %s to %s is reported as %s', (before, after, kind) => {
  const difference = diff(
    [instance('a.example', { facts: { version: before } })],
    [instance('a.example', { facts: { version: after } })],
  );
  expect(changesIn(difference)).toEqual({ [kind]: [{ domain: 'a.example', from: before, to: after }] });
});

test('registration that opens or closes is reported; a change from or to unknown is not', () => {
  const withOpen = (open: boolean | null) => instance('a.example', { facts: { registration: { open, mode: null } } });
  expect(changesIn(diff([withOpen(false)], [withOpen(true)]))).toEqual({
    opened: [{ domain: 'a.example', name: 'Loops' }],
  });
  expect(changesIn(diff([withOpen(true)], [withOpen(false)]))).toEqual({
    closed: [{ domain: 'a.example', name: 'Loops' }],
  });
  expect(changesIn(diff([withOpen(null)], [withOpen(true)]))).toEqual({});
  expect(changesIn(diff([withOpen(null)], [withOpen(false)]))).toEqual({});
  expect(changesIn(diff([withOpen(true)], [withOpen(null)]))).toEqual({});
  expect(changesIn(diff([withOpen(false)], [withOpen(null)]))).toEqual({});
});

test('an instance whose name changed is renamed, and one whose state changed is up or down', () => {
  const named = (name: string | null) => instance('a.example', { facts: { name } });
  expect(changesIn(diff([named('A')], [named('B')]))).toEqual({
    renamed: [{ domain: 'a.example', from: 'A', to: 'B' }],
  });
  expect(changesIn(diff([instance('a.example')], [instance('a.example', { state: 'failing' })]))).toMatchObject({
    down: [{ domain: 'a.example' }],
  });
  expect(changesIn(diff([instance('a.example', { state: 'failing' })], [instance('a.example')]))).toMatchObject({
    up: [{ domain: 'a.example' }],
  });
});

test('an instance that redirects to a listed one has moved, and its target is not new', () => {
  const aliasOf = storedDomain('b.example');
  const find: DomainLookup['find'] = () => domainRecordOf('a.example', { identifiedAs: 'alias', aliasOf });
  expect(changesIn(diff([instance('a.example')], [instance('b.example')], { find }))).toEqual({
    moved: [{ from: 'a.example', to: 'b.example' }],
  });
  expect(changesIn(diff([instance('a.example')], [], { find }))).toMatchObject({ gone: [{ domain: 'a.example' }] });
});

test('a reason is null when the instance is listed again, or without a database', () => {
  const gone = [{ domain: 'a.example', name: 'Loops', because: null }];
  expect(changesIn(diff([instance('a.example')], [], { listingOf: () => ({ listed: true }) }))).toEqual({ gone });
  expect(changesIn(diff([instance('a.example')], [], null))).toEqual({ gone });
  expect(directoryDifferenceText(diff([instance('a.example')], [], null))).toContain('\n  a.example (Loops)\n');
});

test('the text lists each kind of change with its count', () => {
  const text = directoryDifferenceText(
    diff(
      [instance('a.example', { facts: { version: '1.0.0' } }), instance('b.example')],
      [instance('a.example', { facts: { version: '1.1.0' } }), instance('c.example', { facts: { name: null } })],
    ),
  );
  expect(text).toBe(`From 2026-03-01T00:00:00.000Z to 2026-04-01T00:00:00.000Z: 2 instances listed, then 2.

New: 1
  c.example, 1.0.0

Gone: 1
  b.example (Loops): dead

Upgraded: 1
  a.example: 1.0.0 -> 1.1.0
`);
});
