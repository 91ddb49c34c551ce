import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type NodeInfo, parseNodeInfo } from '../../src/identify/documents.ts';
import { fixture } from './fixture.ts';
import { type FieldKind, replaced, wrongValues } from './wrong-values.ts';

const whole = fixture('nodeinfo-whole');

function parsed(document: Readonly<Record<string, unknown>>): NodeInfo {
  const nodeInfo = parseNodeInfo(document);
  if (nodeInfo === null) throw new Error('The document names no software.');
  return nodeInfo;
}

const fields: [path: string, kind: FieldKind, read: (nodeInfo: NodeInfo) => unknown][] = [
  ['software.version', 'string', ({ version }) => version],
  ['openRegistrations', 'boolean', ({ registration }) => registration.open],
  ['metadata.nodeName', 'string', ({ name }) => name],
  ['metadata.nodeDescription', 'string', ({ description }) => description],
  ['usage.users.total', 'count', ({ usage }) => usage.users],
  ['usage.users.activeMonth', 'count', ({ usage }) => usage.activeMonth],
  ['usage.users.activeHalfyear', 'count', ({ usage }) => usage.activeHalfyear],
  ['usage.localPosts', 'count', ({ usage }) => usage.posts],
];
const values = (nodeInfo: NodeInfo) => fields.map(([path, , read]) => [path, read(nodeInfo)]);
const profile = { name: 'A server', description: 'It serves.', registration: { open: true, mode: null } };
const counts = { usage: { users: 321, activeMonth: 45, activeHalfyear: 120, posts: 6789 } };
const unknownCounts = { usage: { users: null, activeMonth: null, activeHalfyear: null, posts: null } };

describe('parseNodeInfo', () => {
  it.each<[fixtureName: string, expected: Partial<NodeInfo>, fieldsWithNotes: string[]]>([
    ['nodeinfo-whole', { softwareId: 'mastodon', software: 'mastodon', version: '4.5.2', ...profile, ...counts }, []],
    ['nodeinfo-loops', { softwareId: 'loops', version: '1.0.0-beta.5' }, []],
    ['nodeinfo-metadata-list', { softwareId: 'pleroma', name: null, description: null, ...counts }, ['metadata']],
    ['nodeinfo-metadata-missing', { softwareId: 'mastodon', name: null, description: null, ...counts }, []],
    ['nodeinfo-services-missing', { softwareId: 'gotosocial', ...profile, ...counts }, []],
    ['nodeinfo-usage-list', { softwareId: 'microblogpub', ...profile, ...unknownCounts }, ['usage']],
    ['nodeinfo-users-list', { softwareId: 'wordpress', usage: { ...unknownCounts.usage, posts: 12 } }, ['usage.users']],
    [
      'nodeinfo-counts-as-strings',
      { softwareId: 'pixelfed', ...unknownCounts },
      ['usage.users.total', 'usage.users.activeMonth', 'usage.users.activeHalfyear', 'usage.localPosts'],
    ],
    ['nodeinfo-counts-null', { softwareId: 'writefreely', ...unknownCounts }, []],
    [
      'nodeinfo-counts-as-objects',
      { softwareId: 'friendica', ...unknownCounts },
      ['usage.users.total', 'usage.users.activeMonth', 'usage.users.activeHalfyear', 'usage.localPosts'],
    ],
    [
      'nodeinfo-counts-absurd',
      { softwareId: 'gotosocial', usage: { ...unknownCounts.usage, users: 8_830_041_223 } },
      ['usage.users.activeMonth', 'usage.users.activeHalfyear', 'usage.localPosts'],
    ],
    [
      'nodeinfo-counts-zero',
      { softwareId: 'snac', usage: { users: 0, activeMonth: 0, activeHalfyear: 0, posts: 0 } },
      [],
    ],
    [
      'nodeinfo-open-as-string',
      { softwareId: 'hubzilla', registration: { open: null, mode: null }, ...counts },
      ['openRegistrations'],
    ],
    ['nodeinfo-version-number', { softwareId: 'takahe', version: null, ...counts }, ['software.version']],
    ['nodeinfo-name-capitals', { softwareId: 'My Fedi Server', software: 'My Fedi Server' }, []],
    ['nodeinfo-block-lists', { softwareId: 'akkoma', name: 'Blocked much', description: null }, []],
  ])('reads %s', (fixtureName, expected, fieldsWithNotes) => {
    const nodeInfo = parsed(fixture(fixtureName));
    expect(nodeInfo).toMatchObject(expected);
    expect(nodeInfo.notes.map(({ field }) => field)).toEqual(fieldsWithNotes);
  });

  it.each([
    'nodeinfo-software-missing',
    'nodeinfo-software-list',
    'nodeinfo-software-name-list',
    'nodeinfo-software-string',
    'nodeinfo-software-name-null',
    'links-as-list',
    'config-empty',
  ])('%s names no software', (name) => {
    expect(parseNodeInfo(fixture(name))).toBeNull();
  });
});

describe('for a field of the wrong type, parseNodeInfo', () => {
  const cases = fields.flatMap(([path, kind]) => wrongValues(kind).map((wrong) => ({ path, wrong })));

  it.each(cases)(
    'returns null and a note, and leaves every other field unchanged: $path as $wrong',
    ({ path, wrong }) => {
      const nodeInfo = parsed(replaced(whole, path, wrong));
      expect(values(nodeInfo)).toEqual(
        values(parsed(whole)).map(([other, value]) => [other, other === path ? null : value]),
      );
      expect(nodeInfo.notes.map(({ field }) => field)).toEqual([path]);
    },
  );

  it.each(
    ['metadata', 'usage', 'usage.users'].flatMap((parent) => wrongValues('object').map((wrong) => ({ parent, wrong }))),
  )(
    'returns null for the fields of an object of the wrong type, with one note: $parent as $wrong',
    ({ parent, wrong }) => {
      const nodeInfo = parsed(replaced(whole, parent, wrong));
      const isInside = (path: unknown) => String(path).startsWith(`${parent}.`);
      expect(values(nodeInfo)).toEqual(
        values(parsed(whole)).map(([path, value]) => [path, isInside(path) ? null : value]),
      );
      expect(nodeInfo.notes.map(({ field }) => field)).toEqual([parent]);
    },
  );

  it('leaves every other field unchanged, whatever the value', () => {
    fc.assert(
      fc.property(fc.constantFrom(...fields), fc.jsonValue(), ([path], value) => {
        const nodeInfo = parsed(replaced(whole, path, value));
        expect(values(nodeInfo).filter(([other]) => other !== path)).toEqual(
          values(parsed(whole)).filter(([other]) => other !== path),
        );
      }),
    );
  });
});
