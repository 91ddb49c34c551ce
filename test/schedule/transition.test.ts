import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DomainState } from '../../src/model/domain-record.ts';
import { REASONS, type Reason } from '../../src/model/reason.ts';
import { type Happening, type Transition, transition } from '../../src/schedule/transition.ts';
import { DAY_MS, HOUR_MS } from './standard-policy.ts';

const at = Date.UTC(2026, 0, 15);
const policy = { deadAfterFailures: 6, deadAfterDays: 7 };

interface Standing {
  state: DomainState;
  since?: number;
  failingSince?: number | null;
  lastVisit?: number | null;
}

function moved(
  { state, since = at - 40 * DAY_MS, failingSince = null, lastVisit = null }: Standing,
  happened: Happening,
): Transition {
  return transition({ state, stateSince: since, stateWhy: 'before', failingSince, lastVisit }, happened, at, policy);
}
const failed = (failures: number, days: number, reason: Reason = 'connect-refused'): Happening => ({
  what: 'failed',
  at,
  reason,
  failures,
  failingSince: at - days * DAY_MS,
});
const succeeded = (reason: Reason = 'config-software'): Happening => ({ what: 'succeeded', at, reason });
const reasons = Object.keys(REASONS) as Reason[];

describe('a transition', () => {
  it.each<[string, Standing, Happening, Transition]>([
    [
      'answers for the first time',
      { state: 'new' },
      succeeded(),
      { state: 'active', why: 'answered: the configuration endpoint names the software' },
    ],
    [
      'may not be contacted',
      { state: 'new' },
      succeeded('forbidden-address'),
      { state: 'active', why: 'not contacted: an address involved is not public' },
    ],
    [
      'fails at its first visit',
      { state: 'new' },
      failed(1, 0),
      { state: 'failing', why: 'failed: nothing listens at the address' },
    ],
    [
      'was dead or gone, is asked for and fails',
      { state: 'new', lastVisit: at - 9 * DAY_MS },
      failed(1, 0),
      { state: 'dead', why: 'asked for by name, and failed again' },
    ],
    [
      'was dead or gone, is asked for and may not be contacted',
      { state: 'new', lastVisit: at - 9 * DAY_MS },
      succeeded('forbidden-address'),
      { state: 'dead', why: 'asked for by name, and not contacted: an address involved is not public' },
    ],
    [
      'was dead or gone, is asked for and answers',
      { state: 'new', lastVisit: at - 9 * DAY_MS },
      succeeded(),
      { state: 'active', why: 'answered: the configuration endpoint names the software' },
    ],
    ['fails', { state: 'active' }, failed(1, 0), { state: 'failing', why: 'failed: nothing listens at the address' }],
    [
      'fails often and long',
      { state: 'failing' },
      failed(7, 12),
      { state: 'dead', why: 'failed 7 times in a row since 2026-01-03' },
    ],
    ['says that it is gone', { state: 'dead' }, succeeded('gone'), { state: 'gone', why: 'it answered 410 Gone' }],
    [
      'comes back within minutes',
      { state: 'failing', since: at - 90_000 },
      succeeded(),
      { state: 'active', why: 'answered again after 1 minute' },
    ],
    [
      'comes back within hours',
      { state: 'failing', since: at - 5.9 * HOUR_MS },
      succeeded(),
      { state: 'active', why: 'answered again after 5 hours' },
    ],
    [
      'comes back at once',
      { state: 'failing', since: at },
      succeeded(),
      { state: 'active', why: 'answered again after less than a minute' },
    ],
    [
      'comes back from 410',
      { state: 'gone', failingSince: at - DAY_MS },
      succeeded('nodeinfo-software'),
      { state: 'active', why: 'answered again after 40 days' },
    ],
    [
      'comes back from the dead, which it was not yet when it began to fail',
      { state: 'dead', since: at - 5 * DAY_MS, failingSince: at - 12 * DAY_MS },
      succeeded(),
      { state: 'active', why: 'answered again after 12 days' },
    ],
    ['is dead and asked for', { state: 'dead' }, { what: 'asked-for', why: 'asked' }, { state: 'new', why: 'asked' }],
    ['is gone and asked for', { state: 'gone' }, { what: 'asked-for', why: 'asked' }, { state: 'new', why: 'asked' }],
  ])('of a domain that %s', (_what, before, happened, after) => {
    expect(moved(before, happened)).toEqual(after);
  });

  it.each(['new', 'active', 'failing'] as const)('is none when a %s domain is asked for', (state) => {
    expect(moved({ state }, { what: 'asked-for', why: 'asked' })).toEqual({ state, why: 'before' });
  });

  it.each(['dead', 'gone'] as const)('of a domain that is %s needs an answer: no failure undoes it', (state) => {
    for (const reason of reasons) {
      for (const happened of [failed(1, 0, reason), failed(20, 90, reason), succeeded('forbidden-address')]) {
        expect(moved({ state }, happened)).toEqual({ state, why: 'before' });
      }
    }
  });

  const happening: fc.Arbitrary<Happening> = fc.oneof(
    fc
      .record({ reason: fc.constantFrom(...reasons), failures: fc.integer({ min: 1, max: 20 }), days: fc.nat(60) })
      .map(({ reason, failures, days }) => failed(failures, days, reason)),
    fc.constantFrom(...reasons).map((reason) => succeeded(reason)),
    fc.constant<Happening>({ what: 'asked-for', why: 'asked' }),
  );
  const standing = fc.record({ state: fc.constantFrom(...DomainState.options), since: fc.nat(at) });

  it('has a reason of its own exactly when the state is another', () => {
    fc.assert(
      fc.property(standing, happening, (before, happened) => {
        const after = moved(before, happened);
        expect(after.why === 'before').toBe(after.state === before.state);
        expect(after.why).not.toBe('');
      }),
    );
  });

  it('is the same for the same input', () => {
    fc.assert(
      fc.property(standing, happening, (before, happened) => {
        expect(moved(before, happened)).toEqual(moved(before, happened));
      }),
    );
  });
});
