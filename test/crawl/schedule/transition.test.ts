import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type DomainEvent, type Transition, transition } from '../../../src/crawl/schedule/transition.ts';
import { DomainState } from '../../../src/model/domain-record.ts';
import { REASONS, type Reason } from '../../../src/model/reason.ts';
import { DAY_MS, HOUR_MS } from './standard-policy.ts';

const at = Date.UTC(2026, 0, 15);
const policy = { deadAfterFailures: 6, deadAfterDays: 7 };

interface Before {
  state: DomainState;
  since?: number;
  failingSince?: number | null;
  lastVisit?: number | null;
}

function transitionOf(
  { state, since = at - 40 * DAY_MS, failingSince = null, lastVisit = null }: Before,
  event: DomainEvent,
): Transition {
  return transition({ state, stateSince: since, stateWhy: 'before', failingSince, lastVisit }, event, at, policy);
}

/** The last of `failures` failed visits in a row; the first was `days` ago. */
const failed = (failures: number, days: number, reason: Reason = 'connect-refused'): DomainEvent => ({
  kind: 'failed',
  at,
  reason,
  failures,
  failingSince: at - days * DAY_MS,
});
const succeeded = (reason: Reason = 'config-software'): DomainEvent => ({ kind: 'succeeded', at, reason });
const reasons = Object.keys(REASONS) as Reason[];

describe('a transition', () => {
  it.each<[what: string, before: Before, event: DomainEvent, after: Transition]>([
    [
      'answers for the first time',
      { state: 'new' },
      succeeded(),
      { state: 'active', why: 'answered: the configuration endpoint names the software' },
    ],
    [
      'must not be contacted, which is no failure',
      { state: 'new' },
      succeeded('forbidden-address'),
      { state: 'active', why: 'not contacted: the host has, or leads to, an address that is not public' },
    ],
    [
      'fails at its first visit',
      { state: 'new' },
      failed(1, 0),
      { state: 'failing', why: 'failed: nothing listens at the address' },
    ],
    [
      'was dead or gone, is added again and fails',
      { state: 'new', lastVisit: at - 9 * DAY_MS },
      failed(1, 0),
      { state: 'dead', why: 'a user requested a visit, which failed again' },
    ],
    [
      'was dead or gone, is added again and must not be contacted',
      { state: 'new', lastVisit: at - 9 * DAY_MS },
      succeeded('forbidden-address'),
      {
        state: 'dead',
        why: 'a user requested a visit, but the host was not contacted: the host has, or leads to, an address that is not public',
      },
    ],
    [
      'was dead or gone, is added again and answers',
      { state: 'new', lastVisit: at - 9 * DAY_MS },
      succeeded(),
      { state: 'active', why: 'answered: the configuration endpoint names the software' },
    ],
    ['fails', { state: 'active' }, failed(1, 0), { state: 'failing', why: 'failed: nothing listens at the address' }],
    [
      'fails often enough for long enough',
      { state: 'failing' },
      failed(7, 12),
      { state: 'dead', why: 'failed 7 times in a row since 2026-01-03' },
    ],
    ['answers 410 Gone', { state: 'dead' }, succeeded('gone'), { state: 'gone', why: 'it answered 410 Gone' }],
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
      'comes back from dead, with its outage counted from the first failure',
      { state: 'dead', since: at - 5 * DAY_MS, failingSince: at - 12 * DAY_MS },
      succeeded(),
      { state: 'active', why: 'answered again after 12 days' },
    ],
    [
      'is dead and is added by a user',
      { state: 'dead' },
      { kind: 'added', why: 'added' },
      { state: 'new', why: 'added' },
    ],
    [
      'is gone and is added by a user',
      { state: 'gone' },
      { kind: 'added', why: 'added' },
      { state: 'new', why: 'added' },
    ],
  ])('of a domain that $0 leads to $3', (_what, before, event, after) => {
    expect(transitionOf(before, event)).toEqual(after);
  });

  it.each(['new', 'active', 'failing'] as const)('does not happen if a %s domain is added again', (state) => {
    expect(transitionOf({ state }, { kind: 'added', why: 'added' })).toEqual({ state, why: 'before' });
  });

  it.each(['dead', 'gone'] as const)(
    'by a visit to a domain that is %s requires an answer; a failure or a forbidden address changes nothing',
    (state) => {
      for (const reason of reasons) {
        for (const event of [failed(1, 0, reason), failed(20, 90, reason), succeeded('forbidden-address')]) {
          expect(transitionOf({ state }, event)).toEqual({ state, why: 'before' });
        }
      }
    },
  );

  const events: fc.Arbitrary<DomainEvent> = fc.oneof(
    fc
      .record({ reason: fc.constantFrom(...reasons), failures: fc.integer({ min: 1, max: 20 }), days: fc.nat(60) })
      .map(({ reason, failures, days }) => failed(failures, days, reason)),
    fc.constantFrom(...reasons).map((reason) => succeeded(reason)),
    fc.constant<DomainEvent>({ kind: 'added', why: 'added' }),
  );
  const records = fc.record({ state: fc.constantFrom(...DomainState.options), since: fc.nat(at) });

  it('has a new reason exactly if the state changes', () => {
    fc.assert(
      fc.property(records, events, (before, event) => {
        const after = transitionOf(before, event);
        expect(after.why === 'before').toBe(after.state === before.state);
        expect(after.why).not.toBe('');
      }),
    );
  });
});
