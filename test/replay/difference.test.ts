import { expect, test } from 'vitest';
import type { InstanceFacts } from '../../src/model/facts/instance-facts.ts';
import { differencesOf, type VisitResult } from '../../src/replay/difference.ts';
import { sampleFacts } from '../store/sample-visit.ts';

const said = (changes: Partial<InstanceFacts>): VisitResult => ({
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
  differencesOf(said(from), said(to)).map(({ field }) => field);

test('a text with a redacted name that is read differently is a difference', () => {
  const [one, other] = ['a server of opted-out.invalid', 'another server of opted-out.invalid'];
  expect(fieldsOf({ description: one }, { description: other })).toEqual(['description']);
  expect(fieldsOf({ name: one }, { name: null })).toEqual(['name']);
  const long = `${one} ${'word '.repeat(300)}`;
  expect(fieldsOf({ description: `${long}and so on` }, { description: `${long}but not so` })).toEqual(['description']);
});
