import { expect, test } from 'vitest';
import { withholdNamesInText } from '../src/domain/withhold-names.ts';
import { cleanText } from '../src/record/clean-text.ts';
import type { InstanceFacts } from '../src/record/facts/instance-facts.ts';
import { LENGTHS } from '../src/record/text-lengths.ts';
import { differencesOf, type Said } from '../src/replay.difference.ts';
import { sampleFacts } from './store/sample-visit.ts';

const said = (changes: Partial<InstanceFacts>): Said => ({
  verdict: 'loops',
  reason: 'config-software',
  via: 'config',
  software: 'loops',
  version: '1.0.0',
  pointsTo: null,
  aliasOf: null,
  facts: { ...sampleFacts, ...changes },
});
const fieldsOf = (from: Partial<InstanceFacts>, to: Partial<InstanceFacts>) =>
  differencesOf(said(from), said(to)).map(({ field }) => field);
const withhold = (text: string) => withholdNamesInText(text, (names) => names);
const cut = (text: string) => cleanText(text, LENGTHS.description);

test.each(['o.example', 'a-name-of-many-characters-that-is-longer-than-what-stands-for-it.example'])(
  'where a text is cut does not change with what is withheld in it: %s',
  (name) => {
    for (let before = 1_900; before < 2_010; before += 3) {
      const text = `${name} ${'word '.repeat(before / 5)}${name} ${'more '.repeat(40)}`;
      expect(fieldsOf({ description: withhold(cut(text)) }, { description: cut(withhold(text)) })).toEqual([]);
    }
  },
);

test('a text with a withheld name that is read differently is told', () => {
  const [one, other] = ['a server of opted-out.invalid', 'another server of opted-out.invalid'];
  expect(fieldsOf({ description: one }, { description: other })).toEqual(['description']);
  expect(fieldsOf({ name: one }, { name: null })).toEqual(['name']);
  const long = `${one} ${'word '.repeat(300)}`;
  expect(fieldsOf({ description: `${long}and so on` }, { description: `${long}but not so` })).toEqual(['description']);
});
