import { expect, test } from 'vitest';
import { sourceNames } from '../../src/store/sources/source-names.ts';

const namesOf = (keys: readonly string[], hidden: readonly string[] = []) => [
  ...sourceNames(
    keys.map((key, index) => ({ key, type: key.startsWith('file') ? 'file' : 'json', id: index + 1 })),
    (name) => hidden.includes(name),
  ).values(),
];

test.each([
  ['file /home/me/secret/Seeds 2.txt', 'file-seeds-2'],
  ['file C:\\lists\\loops.example.csv', 'file-loops.example'],
  ['mastodon-peers https://social.example', 'mastodon-peers-social.example'],
  ['json https://lists.example:8443/nodes.json?token=secret', 'json-lists.example-8443'],
  ['fediverse-observer https://api.example loops', 'fediverse-observer-api.example'],
  ['fedilist', 'fedilist'],
  ['crawled 2', 'crawled-2'],
  ['forgotten source 3', 'forgotten-source-3'],
])('the source with the key %s is published as %s', (key, name) => {
  expect(namesOf([key])).toEqual([name]);
});

test('sources have different names, and keep them when others are added', () => {
  const [first, second, third] = ['file /a/seeds.txt', 'file /b/seeds.txt', 'file-seeds-x'] as const;
  const names = namesOf([first, second]);
  expect(names).toEqual(['file-seeds', expect.stringMatching(/^file-seeds-[0-9a-f]{6}$/)]);
  expect(new Set(namesOf([first, second, third]))).toEqual(new Set([...names, third]));
});

test('a source that names a hidden host is published by type and number', () => {
  const keys = ['json https://away.example/list', 'file /lists/away.example.txt', 'away.example'];
  expect(namesOf(keys, ['away.example']).toSorted()).toEqual(['file-2', 'json-1', 'json-3']);
});
