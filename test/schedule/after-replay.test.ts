import { describe, expect, it } from 'vitest';
import { storedDomain } from '../../src/model/domain/domain.ts';
import type { DomainRecord } from '../../src/model/domain-record.ts';
import { UNKNOWN_HOST } from '../../src/model/facts/host-facts.ts';
import type { LoggedVisit } from '../../src/model/visit.ts';
import { createReplayRules } from '../../src/schedule/after-replay.ts';
import { DAY_MS, HOUR_MS, standardPolicy } from './standard-policy.ts';

const NOW = Date.UTC(2026, 7, 1);
const domain = storedDomain('server.example');
const rules = createReplayRules({ policy: standardPolicy, now: () => NOW, random: () => 0.5 });

const logged = (hoursAgo: number, changes: Partial<LoggedVisit> = {}): LoggedVisit => ({
  at: NOW - hoursAgo * HOUR_MS,
  durationMs: 200,
  verdict: 'unreachable',
  reason: 'connect-refused',
  via: null,
  software: null,
  version: null,
  aliasOf: null,
  facts: null,
  retryAfterMs: null,
  steps: [],
  recordedAt: NOW - hoursAgo * HOUR_MS,
  canonicalHost: null,
  state: 'failing',
  nextVisit: null,
  noindex: null,
  ...changes,
});
const loops = { verdict: 'loops', reason: 'config-software', via: 'config', software: 'loops', version: '2' } as const;
const unidentified = { verdict: 'unidentified', reason: 'no-nodeinfo-2.0-link' } as const;

const record = (changes: Partial<DomainRecord> = {}): DomainRecord => ({
  domain,
  state: 'active',
  stateSince: NOW - 30 * DAY_MS,
  stateWhy: 'answered',
  verdict: 'loops',
  reason: 'config-software',
  identifiedAs: 'loops',
  wasEverLoops: true,
  via: 'config',
  software: 'loops',
  version: '1',
  aliasOf: null,
  firstSeen: NOW - 90 * DAY_MS,
  lastVisit: NOW - 500 * HOUR_MS,
  lastSeen: NOW - 500 * HOUR_MS,
  nextVisit: NOW + 5 * HOUR_MS,
  nextVisitWhy: 'a Loops server: every 6 h',
  failures: 0,
  failingSince: null,
  consecutiveSameOutcome: 9,
  host: UNKNOWN_HOST,
  ...changes,
});

/** @param visits oldest first. */
const replay = (before: DomainRecord, visits: readonly LoggedVisit[]) => visits.reduce(rules.afterVisit, before);

describe('a replay of logged visits', () => {
  it('restarts the failure count at each visit that succeeded when it was recorded but fails by the rules of today, so that the domain does not die', () => {
    // Their logged state, active, means that they were no failures. One every 6 h, the last of them an hour ago.
    const visits = Array.from({ length: 40 }, (_, i) => logged(1 + 6 * (39 - i), { ...unidentified, state: 'active' }));
    expect(replay(record(), [logged(300, { ...loops, state: 'active' }), ...visits])).toMatchObject({
      state: 'failing',
      failures: 1,
      failingSince: NOW - HOUR_MS,
      lastSeen: NOW - 300 * HOUR_MS,
    });
  });

  it('counts only the failures after a visit that succeeds by the rules of today, and revives a domain that was dead', () => {
    const dead = record({ state: 'dead', failures: 8, failingSince: NOW - 40 * DAY_MS });
    const visits = [logged(480, { ...unidentified, state: 'dead' }), logged(20, { ...loops, state: 'dead' })];
    expect(replay(dead, [...visits, logged(9, { state: 'dead' }), logged(1, { state: 'dead' })])).toMatchObject({
      state: 'failing',
      stateSince: NOW - 9 * HOUR_MS,
      failures: 2,
      failingSince: NOW - 9 * HOUR_MS,
      version: '2',
      lastSeen: NOW - 20 * HOUR_MS,
    });
  });

  it('makes a domain dead if its visits failed often enough for long enough', () => {
    const visits = Array.from({ length: 10 }, (_, i) => logged(24 * (10 - i)));
    expect(replay(record(), visits)).toMatchObject({ state: 'dead', failures: 10 });
  });

  it('does not count an unidentified visit as a failure of a domain that never was Loops', () => {
    const before = record({ wasEverLoops: false, identifiedAs: null, via: null, software: null, version: null });
    expect(replay(before, [logged(1, { ...unidentified, state: 'failing' })])).toMatchObject({
      state: 'active',
      failures: 0,
      wasEverLoops: false,
      identifiedAs: null,
      software: null,
    });
  });

  it('takes noindex and the next visit from the logged visit, and the canonical host if the visit identified the host', () => {
    const before = record({ host: { ...UNKNOWN_HOST, canonicalHost: domain } });
    const nextVisit = NOW + HOUR_MS;
    const recomputed = replay(before, [logged(1, { ...loops, noindex: true, nextVisit })]);
    expect(recomputed).toMatchObject({ nextVisit, host: { noindex: true, canonicalHost: null } });
    expect(replay(before, [logged(1, { noindex: true })]).host).toMatchObject({ noindex: true, canonicalHost: domain });
  });
});

describe('the failure counts from the visits before a replay', () => {
  const { failureCountsOf } = rules;
  const failed = { verdict: 'unreachable', reason: 'connect-refused' } as const;

  it('include the failures since the last success and the equal outcomes in a row', () => {
    // Newest first.
    const visits = [
      { at: 5, ...failed },
      { at: 4, ...failed },
      { at: 3, ...unidentified },
      { at: 2, verdict: 'loops', reason: 'config-software' } as const,
      { at: 1, ...failed },
    ];
    // The second argument: whether the domain ever was Loops. Only then is an unidentified visit a failure.
    expect(failureCountsOf(visits, true)).toEqual({ failures: 3, failingSince: 3, consecutiveSameOutcome: 2 });
    expect(failureCountsOf(visits, false)).toEqual({ failures: 2, failingSince: 4, consecutiveSameOutcome: 2 });
    expect(failureCountsOf([], true)).toEqual({ failures: 0, failingSince: null, consecutiveSameOutcome: 0 });
  });
});

describe('the current record after a replay', () => {
  const { afterReplay } = rules;
  const last = (hoursAgo: number) => logged(hoursAgo, { ...loops, state: 'active' });

  it('keeps its host facts but not the canonical host; keeps its next visit if state and verdict stay the same', () => {
    const before = record({ host: { ...UNKNOWN_HOST, noindex: true, noindexBy: ['robots'], tlsExpires: 9 } });
    const recomputed = { ...before, version: '2', nextVisit: null, host: { ...UNKNOWN_HOST, canonicalHost: domain } };
    expect(afterReplay(before, recomputed, last(1))).toEqual({
      ...before,
      version: '2',
      host: { ...before.host, canonicalHost: domain },
    });
  });

  it('is due once the interval of its new verdict has passed since the last visit; if it was due, it stays due', () => {
    const before = record({ verdict: 'other', nextVisit: NOW + 100 * HOUR_MS });
    // The new verdict, loops, has an interval of 6 h.
    expect(afterReplay(before, record(), last(30)).nextVisit).toBe(NOW);
    expect(afterReplay(before, record(), last(2)).nextVisit).toBe(NOW + 4 * HOUR_MS);
    const due = { ...before, nextVisit: NOW - HOUR_MS };
    expect(afterReplay(due, record(), last(2)).nextVisit).toBe(NOW - HOUR_MS);
  });
});
