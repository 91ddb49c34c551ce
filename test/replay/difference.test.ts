import { expect, test } from 'vitest';
import type { InstanceFacts } from '../../src/model/facts/instance-facts.ts';
import { differencesOf, type VisitResult } from '../../src/replay/difference.ts';
import { sampleFacts } from '../store/sample-visit.ts';

const resultWith = (changes: Partial<InstanceFacts>): VisitResult => ({
  verdict: 'loops',
  reason: 'config-software',
  via: 'config',
  software: 'loops',
  version: '1.0.0',
  canonicalHost: null,
  aliasOf: null,
  facts: { ...sampleFacts, ...changes },
});
const fieldsOf = (from: Partial<InstanceFacts>, to: Partial<InstanceFacts>) =>
  differencesOf(resultWith(from), resultWith(to)).map(({ field }) => field);

test('a changed text with a redacted name is a difference', () => {
  const [first, second] = ['a server of opted-out.invalid', 'another server of opted-out.invalid'];
  expect(fieldsOf({ description: first }, { description: second })).toEqual(['description']);
  expect(fieldsOf({ name: first }, { name: null })).toEqual(['name']);
  const long = `${first} ${'word '.repeat(300)}`;
  expect(fieldsOf({ description: `${long}and so on` }, { description: `${long}but not so` })).toEqual(['description']);
});
