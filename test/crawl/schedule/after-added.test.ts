import { describe, expect, it } from 'vitest';
import { afterAdded } from '../../../src/crawl/schedule/after-added.ts';
import { storedDomain } from '../../../src/model/domain/domain.ts';
import type { DomainRecord, DomainState } from '../../../src/model/domain-record.ts';
import { UNKNOWN_HOST } from '../../../src/model/facts/host-facts.ts';
import { DAY_MS, HOUR_MS } from './standard-policy.ts';

const at = Date.UTC(2026, 0, 15);

const inState = (state: DomainState): DomainRecord => ({
  domain: storedDomain('server.example.org'),
  state,
  stateSince: at - 5 * DAY_MS,
  stateWhy: 'before',
  verdict: 'unreachable',
  reason: 'connect-refused',
  identifiedAs: 'loops',
  wasEverLoops: true,
  via: 'config',
  software: 'loops',
  version: '1.0.0',
  aliasOf: null,
  firstSeen: at - 90 * DAY_MS,
  lastVisit: at - DAY_MS,
  lastSeen: at - 20 * DAY_MS,
  nextVisit: at + 29 * DAY_MS,
  nextVisitWhy: 'dead: every 720 h',
  failures: 9,
  failingSince: at - 12 * DAY_MS,
  consecutiveSameOutcome: 9,
  host: UNKNOWN_HOST,
});

describe('a domain that a user adds', () => {
  it.each(['dead', 'gone'] as const)('becomes new, due now and without failures if it was %s', (state) => {
    expect(afterAdded(inState(state), at, 'added by name')).toEqual({
      ...inState(state),
      state: 'new',
      stateSince: at,
      stateWhy: 'added by name',
      nextVisit: at,
      nextVisitWhy: 'added by name',
      failures: 0,
      failingSince: null,
      consecutiveSameOutcome: 0,
    });
  });

  it.each(['new', 'active', 'failing'] as const)(
    'stays %s since the same time and for the same reason, but is due now and without failures',
    (state) => {
      expect(afterAdded(inState(state), at, 'added by name')).toMatchObject({
        state,
        stateSince: at - 5 * DAY_MS,
        stateWhy: 'before',
        failures: 0,
        failingSince: null,
        nextVisit: at,
      });
    },
  );

  it('keeps its due time if it is overdue', () => {
    const overdue = { ...inState('active'), nextVisit: at - HOUR_MS };
    expect(afterAdded(overdue, at, 'added by name').nextVisit).toBe(at - HOUR_MS);
  });
});
