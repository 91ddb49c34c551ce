import { describe, expect, it } from 'vitest';
import { storedDomain } from '../../src/domain/stored-domain.ts';
import type { DomainRecord } from '../../src/record/domain-record.ts';
import { UNKNOWN_HOST } from '../../src/record/host-facts.ts';
import { afterReplay, type ReplayedHistory, type ReplayedVisit } from '../../src/schedule/after-replay.ts';
import { DAY_MS, HOUR_MS, standardPolicy } from './standard-policy.ts';

const NOW = Date.UTC(2026, 7, 1);
const domain = storedDomain('server.example');

const visit = (hoursAgo: number, changes: Partial<ReplayedVisit> = {}): ReplayedVisit => ({
  at: NOW - hoursAgo * HOUR_MS,
  verdict: 'unreachable',
  reason: 'connect-refused',
  via: null,
  software: null,
  version: null,
  aliasOf: null,
  retryAfterMs: null,
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
  conclusive: 'loops',
  onceLoops: true,
  via: 'config',
  software: 'loops',
  version: '1',
  aliasOf: null,
  firstSeen: NOW - 90 * DAY_MS,
  lastVisit: NOW - HOUR_MS,
  lastSeen: NOW - HOUR_MS,
  nextVisit: NOW + 5 * HOUR_MS,
  nextVisitWhy: 'a Loops server: every 6 h',
  failures: 0,
  failingSince: null,
  repeats: 9,
  host: UNKNOWN_HOST,
  ...changes,
});

const replayed = (before: DomainRecord, recent: ReplayedVisit[], changes: Partial<ReplayedHistory> = {}) =>
  afterReplay(
    before,
    { recent, isUnknownNow: false, onceLoops: true, pointsTo: undefined, ...changes },
    NOW,
    0.5,
    standardPolicy,
  );

describe('afterReplay', () => {
  it('changes nothing but the facts where the verdict stays', () => {
    const before = record();
    expect(replayed(before, [visit(1, loops)])).toEqual({ ...before, version: '2' });
  });

  it('leaves an opted-out domain alone', () => {
    const before = record({ state: 'opted-out', nextVisit: null });
    expect(replayed(before, [visit(1, loops)])).toBe(before);
  });

  it('revives a domain that failed by our misreading', () => {
    const failing = record({ state: 'dead', failures: 9, failingSince: NOW - 20 * DAY_MS, ...unidentified });
    expect(replayed(failing, [visit(1, loops)])).toMatchObject({
      state: 'active',
      stateSince: NOW - HOUR_MS,
      failures: 0,
      failingSince: null,
      lastSeen: NOW - HOUR_MS,
      repeats: 1,
      nextVisit: NOW + 5 * HOUR_MS,
    });
  });

  it('counts one failure, and never a death, where visits failed that did not when they were made', () => {
    const recent = Array.from({ length: 40 }, (_, i) => visit(1 + 6 * i, unidentified));
    expect(replayed(record(), [...recent, visit(300, loops)])).toMatchObject({
      state: 'failing',
      failures: 1,
      failingSince: NOW - HOUR_MS,
      lastSeen: NOW - 300 * HOUR_MS,
    });
  });

  it('counts only the failures after a visit that turns out to have succeeded', () => {
    const before = record({
      state: 'dead',
      failures: 8,
      failingSince: NOW - 20 * DAY_MS,
      verdict: 'unreachable',
      reason: 'connect-refused',
    });
    expect(replayed(before, [visit(1), visit(9), visit(20, loops), visit(480, unidentified)])).toMatchObject({
      state: 'failing',
      failures: 2,
      failingSince: NOW - 9 * HOUR_MS,
      version: '2',
      lastSeen: NOW - 20 * HOUR_MS,
    });
  });

  it('does not hold a visit that settled nothing against what never was Loops', () => {
    const before = record({ state: 'failing', failures: 1, failingSince: NOW - HOUR_MS, ...unidentified });
    expect(replayed(before, [visit(1, unidentified)], { onceLoops: false, isUnknownNow: true })).toMatchObject({
      state: 'active',
      failures: 0,
      onceLoops: false,
      conclusive: null,
      software: null,
    });
  });

  it('keeps a domain that was asked for by name new until its visit', () => {
    const before = record({ state: 'new', nextVisit: NOW, verdict: 'unreachable', reason: 'connect-refused' });
    expect(replayed(before, [visit(1, loops)])).toMatchObject({ state: 'new', nextVisit: NOW });
  });

  it('makes a domain due now where the interval of its new verdict has passed, and not before', () => {
    const other = record({ verdict: 'other', nextVisit: NOW + 100 * HOUR_MS });
    expect(replayed(other, [visit(30, loops)]).nextVisit).toBe(NOW);
    expect(replayed(other, [visit(2, loops)]).nextVisit).toBe(NOW + 4 * HOUR_MS);
  });

  it('knows where an instance points only when it is told', () => {
    const before = record({ host: { ...UNKNOWN_HOST, pointsTo: domain } });
    expect(replayed(before, [visit(1, loops)]).host.pointsTo).toBe(domain);
    expect(replayed(before, [visit(1, loops)], { pointsTo: null }).host.pointsTo).toBeNull();
  });
});
