import { describe, expect, it } from 'vitest';
import { storedDomain } from '../../src/model/domain/domain.ts';
import { findDomainChanges } from '../../src/model/domain-changes.ts';
import type { DomainRecord } from '../../src/model/domain-record.ts';
import { UNKNOWN_HOST } from '../../src/model/facts/host-facts.ts';
import { hour, start } from './facts/sample-visit-facts.ts';

const unvisited: DomainRecord = {
  domain: storedDomain('loops.example.org'),
  state: 'new',
  stateSince: start,
  stateWhy: 'entered',
  verdict: null,
  reason: null,
  conclusive: null,
  wasEverLoops: false,
  via: null,
  software: null,
  version: null,
  aliasOf: null,
  firstSeen: start,
  lastVisit: null,
  lastSeen: null,
  nextVisit: start,
  nextVisitWhy: 'new',
  failures: 0,
  failingSince: null,
  consecutiveSameOutcome: 0,
  host: UNKNOWN_HOST,
};

const found: DomainRecord = {
  ...unvisited,
  state: 'active',
  stateSince: start + hour,
  stateWhy: 'answered',
  verdict: 'loops',
  reason: 'config-software',
  conclusive: 'loops',
  wasEverLoops: true,
  via: 'config',
  software: 'loops',
  version: '1.0.0-beta.13',
  lastVisit: start + hour,
  lastSeen: start + hour,
  consecutiveSameOutcome: 1,
  host: { ipv4: true, ipv6: false, tlsExpires: start + 900 * hour, noindex: false, canonicalHost: null },
};

const failed: DomainRecord = {
  ...unvisited,
  state: 'failing',
  stateWhy: 'failed: nothing listens at the address',
  verdict: 'unreachable',
  reason: 'connect-refused',
  lastVisit: start + hour,
  failures: 1,
};

describe('domainChanges', () => {
  it('finds none where only the bookkeeping moved', () => {
    const host = { ...found.host, ipv6: true, tlsExpires: start + 9_000 * hour };
    const after = {
      ...found,
      lastVisit: start + 7 * hour,
      nextVisit: start + 13 * hour,
      consecutiveSameOutcome: 2,
      host,
    };
    expect(findDomainChanges(found, after)).toEqual([]);
  });

  it('tells of a first visit that found Loops the state, with what moved it, and that it is Loops', () => {
    expect(findDomainChanges(unvisited, found)).toEqual([
      { field: 'state', from: 'new', to: 'active', why: 'answered' },
      { field: 'conclusive', from: null, to: 'loops', why: null },
    ]);
  });

  it('tells of a first visit that found anything else the state alone', () => {
    const other = { ...found, conclusive: 'other', software: 'mastodon', wasEverLoops: false } satisfies DomainRecord;
    expect(findDomainChanges(unvisited, other).map(({ field }) => field)).toEqual(['state']);
    expect(findDomainChanges(unvisited, failed).map(({ field }) => field)).toEqual(['state']);
  });

  it('takes the first identification at a later visit for no change of software or version', () => {
    expect(findDomainChanges(failed, found)).toEqual([
      { field: 'state', from: 'failing', to: 'active', why: 'answered' },
      { field: 'conclusive', from: null, to: 'loops', why: null },
    ]);
    const other = { ...found, conclusive: 'other', software: 'mastodon' } satisfies DomainRecord;
    expect(findDomainChanges(failed, other).map(({ field, to }) => [field, to])).toEqual([
      ['state', 'active'],
      ['conclusive', 'other'],
    ]);
  });

  it('tells an upgrade', () => {
    expect(findDomainChanges(found, { ...found, version: '1.0.0-beta.14' })).toEqual([
      { field: 'version', from: '1.0.0-beta.13', to: '1.0.0-beta.14', why: null },
    ]);
  });

  it('tells a version that became unknown, and one that became known again', () => {
    const unknown = { ...found, version: null };
    expect(findDomainChanges(found, unknown)).toMatchObject([{ field: 'version', to: null }]);
    expect(findDomainChanges(unknown, found)).toMatchObject([{ field: 'version', from: null }]);
  });

  it('tells a move to another host whole', () => {
    const moved = {
      ...found,
      conclusive: 'alias',
      via: null,
      software: null,
      version: null,
      aliasOf: storedDomain('new.example.org'),
    } satisfies DomainRecord;
    expect(findDomainChanges(found, moved).map(({ field, from, to }) => [field, from, to])).toEqual([
      ['conclusive', 'loops', 'alias'],
      ['via', 'config', null],
      ['software', 'loops', null],
      ['version', '1.0.0-beta.13', null],
      ['aliasOf', null, 'new.example.org'],
    ]);
  });

  it('tells a wish not to be published from the first answer on', () => {
    const asks = (record: DomainRecord, noindex: boolean) => ({ ...record, host: { ...record.host, noindex } });
    expect(findDomainChanges(failed, asks(failed, true))).toEqual([]);
    expect(findDomainChanges(asks(failed, false), asks(failed, true))).toEqual([
      { field: 'noindex', from: false, to: true, why: null },
    ]);
  });

  it('tells that an instance began to name another host, and that it stopped', () => {
    const pointing = { ...found, host: { ...found.host, canonicalHost: storedDomain('www.example.org') } };
    expect(findDomainChanges(found, pointing)).toMatchObject([
      { field: 'pointsTo', from: null, to: 'www.example.org' },
    ]);
    expect(findDomainChanges(pointing, found)).toMatchObject([{ field: 'pointsTo', to: null }]);
  });

  it('gives a reason in words for the state and for nothing else', () => {
    const dead = {
      ...found,
      state: 'dead',
      stateWhy: 'failed 7 times in a row',
      via: 'nodeinfo',
    } satisfies DomainRecord;
    expect(findDomainChanges(found, dead).map(({ field, why }) => [field, why])).toEqual([
      ['state', 'failed 7 times in a row'],
      ['via', null],
    ]);
  });

  it('is silent on a domain whose reason alone differs while its state stays', () => {
    expect(findDomainChanges(failed, { ...failed, stateWhy: 'failed: the TLS handshake did not end' })).toEqual([]);
  });
});
