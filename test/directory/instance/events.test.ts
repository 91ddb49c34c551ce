import { expect, test } from 'vitest';
import { eventsOf } from '../../../src/directory/instance/events.ts';
import type { Change } from '../../../src/model/change.ts';

const change = (field: Change['field'], from: Change['from'], to: Change['to']): Change => ({
  ...{ at: 1, field, from, to, why: field === 'state' ? 'the visit failed' : null, cause: 'visit' },
});

test.each<[string, string | null, Change]>([
  ['a failed visit', 'down', change('state', 'active', 'failing')],
  ['an answer after failures', 'up', change('state', 'failing', 'active')],
  ['death', 'unlisted', change('state', 'failing', 'dead')],
  ['410 Gone', 'unlisted', change('state', 'active', 'gone')],
  ['a revival', 'listed', change('state', 'dead', 'active')],
  ['the first visit', null, change('state', 'new', 'active')],
  ['identification', 'listed', change('identifiedAs', null, 'loops')],
  ['other software', 'unlisted', change('identifiedAs', 'loops', 'other')],
  ['a redirect of other software', null, change('identifiedAs', 'other', 'alias')],
  ['an upgrade', 'upgraded', change('version', '1.0.0-beta.9', '1.0.0')],
  ['a downgrade', 'changed', change('version', '1.2.0', '1.1.0')],
  ['a first version', null, change('version', null, '1.1.0')],
  ['any other fact', null, change('registration.open', true, false)],
])('the event of %s is %s', (_what, kind, given) => {
  expect(eventsOf([given], 'loops').map((event) => event.kind)).toEqual(kind === null ? [] : [kind]);
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
