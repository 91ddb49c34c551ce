import { expect, test } from 'vitest';
import type { Change } from '../../../src/model/change.ts';
import { eventsOf } from '../../../src/views/instance/events.ts';

const change = (field: Change['field'], from: Change['from'], to: Change['to']): Change => ({
  ...{ at: 1, field, from, to, why: field === 'state' ? 'the visit failed' : null, cause: 'visit' },
});

test.each<[string, Change, string | null]>([
  ['a failed visit', change('state', 'active', 'failing'), 'down'],
  ['an answer after failures', change('state', 'failing', 'active'), 'up'],
  ['death', change('state', 'failing', 'dead'), 'unlisted'],
  ['410 Gone', change('state', 'active', 'gone'), 'unlisted'],
  ['a revival', change('state', 'dead', 'active'), 'listed'],
  ['the first visit', change('state', 'new', 'active'), null],
  ['identification', change('identifiedAs', null, 'loops'), 'listed'],
  ['other software', change('identifiedAs', 'loops', 'other'), 'unlisted'],
  ['a redirect of other software', change('identifiedAs', 'other', 'alias'), null],
  ['an upgrade', change('version', '1.0.0-beta.9', '1.0.0'), 'upgraded'],
  ['a downgrade', change('version', '1.2.0', '1.1.0'), 'changed'],
  ['a first version', change('version', null, '1.1.0'), null],
  ['any other fact', change('registration.open', true, false), null],
])('%s gives the event %3$s', (_what, one, kind) => {
  expect(eventsOf([one], 'loops').map((event) => event.kind)).toEqual(kind === null ? [] : [kind]);
});

test('an event keeps the reason of a change of state', () => {
  expect(eventsOf([change('state', 'active', 'failing')], 'loops')[0]).toMatchObject({
    why: 'the visit failed',
    at: 1,
  });
});

test('what happens after a domain ceased to be a Loops server is no event', () => {
  const failing = { ...change('state', 'active', 'failing'), at: 5 };
  const upgraded = { ...change('version', '4.3.0', '4.4.0'), at: 4 };
  const ceased = { ...change('identifiedAs', 'loops', 'other'), at: 3 };
  const recovered = { ...change('state', 'failing', 'active'), at: 2 };
  const kinds = eventsOf([failing, upgraded, ceased, recovered], 'other').map(({ kind }) => kind);
  expect(kinds).toEqual(['unlisted', 'up']);
  expect(eventsOf([failing, upgraded], 'other')).toEqual([]);
});

test('two changes of one visit that mean the same are one event', () => {
  const revived = [change('identifiedAs', 'other', 'loops'), change('state', 'dead', 'active')];
  expect(eventsOf(revived, 'loops').map(({ kind }) => kind)).toEqual(['listed']);
});
