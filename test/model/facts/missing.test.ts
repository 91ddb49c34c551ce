import { expect, test } from 'vitest';
import { FACT_LEAVES } from '../../../src/model/facts/fact-leaves.ts';
import type { InstanceFacts } from '../../../src/model/facts/instance-facts.ts';
import { type Missing, missingFacts, whyUnidentified } from '../../../src/model/facts/missing.ts';
import type { Step } from '../../../src/model/step.ts';
import type { Via } from '../../../src/model/verdict.ts';
import { instanceRecordOf } from '../../export/record-of.ts';

const step = (probe: Step['probe'], more: Partial<Step> = {}): Step => ({
  ...{ probe, url: 'https://a.example.org/', status: 200, ms: 1, bytes: 1, failure: null },
  ...more,
});
const known = instanceRecordOf('a.example.org').facts;
const noLimits = Object.fromEntries(Object.keys(known.limits).map((key) => [key, null])) as InstanceFacts['limits'];
const noCounts = { users: null, activeMonth: null, activeHalfyear: null, posts: null, asOf: null };
const withoutLimits = { limits: noLimits };
const withoutCounts = { usage: noCounts, flags: ['nodeinfo-unavailable' as const] };

test.each([
  ['not reported', 'not-reported', withoutLimits, 'config', []],
  ['of the wrong type', 'unreadable', { ...withoutLimits, notes: [note('account.max_bio_length')] }, 'config', []],
  ['in something other than an object', 'unreadable', { ...withoutLimits, notes: [note('account')] }, 'config', []],
  [
    'in a config that robots.txt forbids',
    'not-asked',
    withoutLimits,
    'nodeinfo',
    [step('config', { code: 'forbidden-to-all', status: null })],
  ],
  ['in a config that is refused', 'refused', withoutLimits, 'nodeinfo', [step('config', { status: 403 })]],
  [
    'in a config behind a challenge page',
    'refused',
    withoutLimits,
    'nodeinfo',
    [step('config', { code: 'challenge-page' })],
  ],
  ['in a config that is not found', 'unreadable', withoutLimits, 'nodeinfo', [step('config', { status: 404 })]],
  ['in a config whose answer is no longer stored', 'unknown', withoutLimits, 'nodeinfo', null],
  ['of a visit that is no longer stored', 'unknown', withoutLimits, null, null],
] satisfies [string, Missing, Partial<InstanceFacts>, Via | null, Step[] | null][])(
  'a limit that is %s is missing with the code %s',
  (_, code, facts, via, steps) => {
    const missing = missingFacts({ ...known, ...facts }, via, () => steps);
    expect(missing).toContain(`limits.maxBioLength=${code}`);
    expect(missing).toHaveLength(FACT_LEAVES.filter(({ parent }) => parent === 'limits').length);
  },
);

test.each([
  ['federation is off', 'not-asked', { usage: noCounts, federation: false }, []],
  ['NodeInfo is refused', 'refused', withoutCounts, [step('config'), step('discovery', { status: 403 })]],
  ['NodeInfo fails', 'unreadable', withoutCounts, [step('discovery'), step('nodeinfo', { status: 500 })]],
  ['NodeInfo has none', 'not-reported', { usage: noCounts }, []],
] satisfies [string, Missing, Partial<InstanceFacts>, Step[]][])(
  'when %s, counts are missing with the code %s',
  (_, code, facts, steps) => {
    expect(missingFacts({ ...known, ...facts }, 'config', () => steps)).toContain(`usage.users=${code}`);
  },
);

test('nothing is missing of an instance of which everything is known', () => {
  expect(missingFacts(known, 'config', () => expect.fail('unexpected read'))).toEqual([]);
});

test.each([
  ['loops', 'config-software', null],
  ['unidentified', 'no-nodeinfo', 'not-reported'],
  ['unidentified', 'access-refused', 'refused'],
  ['unidentified', 'nodeinfo-not-json', 'unreadable'],
  ['unidentified', 'third-party-limit', 'not-asked'],
  ['unreachable', 'connect-timeout', 'unreadable'],
  ['declined', 'robots-forbidden', 'not-asked'],
  ['declined', 'rate-limited', 'refused'],
  ['alias', 'redirected', 'not-asked'],
] as const)('after a visit that ended %s, %s, the software is missing with the code %s', (verdict, reason, code) => {
  expect(whyUnidentified({ verdict, reason })).toBe(code);
});

function note(field: string) {
  return { field, problem: 'expected a number, found a list' };
}
