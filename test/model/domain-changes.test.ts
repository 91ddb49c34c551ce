import { describe, expect, it } from 'vitest';
import { storedDomain } from '../../src/model/domain/domain.ts';
import { findDomainChanges } from '../../src/model/domain-changes.ts';
import type { DomainRecord } from '../../src/model/domain-record.ts';
import { UNKNOWN_HOST } from '../../src/model/facts/host-facts.ts';
import { hour, start } from './facts/sample-visit-facts.ts';
import { unvisitedRecord } from './unvisited-record.ts';

const unvisited = unvisitedRecord(storedDomain('loops.example.org'), start);

const identified: DomainRecord = {
  ...unvisited,
  state: 'active',
  stateSince: start + hour,
  stateWhy: 'answered',
  verdict: 'loops',
  reason: 'config-software',
  identifiedAs: 'loops',
  wasEverLoops: true,
  via: 'config',
  software: 'loops',
  version: '1.0.0-beta.13',
  lastVisit: start + hour,
  lastSeen: start + hour,
  consecutiveSameOutcome: 1,
  host: {
    ...UNKNOWN_HOST,
    ipv4: true,
    ipv6: false,
    tlsExpires: start + 900 * hour,
    noindex: false,
    canonicalHost: null,
  },
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

describe('findDomainChanges', () => {
  it('ignores visit times, host addresses and certificate dates', () => {
    const host = { ...identified.host, ipv6: true, tlsExpires: start + 9_000 * hour };
    const after = {
      ...identified,
      lastVisit: start + 7 * hour,
      nextVisit: start + 13 * hour,
      consecutiveSameOutcome: 2,
      host,
    };
    expect(findDomainChanges(identified, after)).toEqual([]);
  });

  it('reports a first visit that finds Loops as two changes: of the state, with a reason, and of the conclusive verdict', () => {
    expect(findDomainChanges(unvisited, identified)).toEqual([
      { field: 'state', from: 'new', to: 'active', why: 'answered' },
      { field: 'identifiedAs', from: null, to: 'loops', why: null },
    ]);
  });

  it('reports a first visit with any other result only as a change of state', () => {
    const other = {
      ...identified,
      identifiedAs: 'other',
      software: 'mastodon',
      wasEverLoops: false,
    } satisfies DomainRecord;
    expect(findDomainChanges(unvisited, other).map(({ field }) => field)).toEqual(['state']);
    expect(findDomainChanges(unvisited, failed).map(({ field }) => field)).toEqual(['state']);
  });

  it('reports a first identification at a later visit without changes of software or version', () => {
    expect(findDomainChanges(failed, identified)).toEqual([
      { field: 'state', from: 'failing', to: 'active', why: 'answered' },
      { field: 'identifiedAs', from: null, to: 'loops', why: null },
    ]);
    const other = { ...identified, identifiedAs: 'other', software: 'mastodon' } satisfies DomainRecord;
    expect(findDomainChanges(failed, other).map(({ field, to }) => [field, to])).toEqual([
      ['state', 'active'],
      ['identifiedAs', 'other'],
    ]);
  });

  it('reports an upgrade', () => {
    expect(findDomainChanges(identified, { ...identified, version: '1.0.0-beta.14' })).toEqual([
      { field: 'version', from: '1.0.0-beta.13', to: '1.0.0-beta.14', why: null },
    ]);
  });

  it('reports the version and software with which a host returns that has only declined for days', () => {
    const dropped = { ...identified, identifiedAs: null };
    const returned = { ...identified, version: '1.0.0-beta.14' };
    const other = { ...identified, identifiedAs: 'other', software: 'mastodon' } satisfies DomainRecord;
    expect(findDomainChanges(dropped, returned).map(({ field }) => field)).toEqual(['identifiedAs', 'version']);
    expect(findDomainChanges(dropped, other).map(({ field }) => field)).toEqual(['identifiedAs', 'software']);
  });

  it('reports that a version became unknown or known again', () => {
    const unknown = { ...identified, version: null };
    expect(findDomainChanges(identified, unknown)).toMatchObject([{ field: 'version', to: null }]);
    expect(findDomainChanges(unknown, identified)).toMatchObject([{ field: 'version', from: null }]);
  });

  it('reports a move to another host with all its fields', () => {
    const moved = {
      ...identified,
      identifiedAs: 'alias',
      via: null,
      software: null,
      version: null,
      aliasOf: storedDomain('new.example.org'),
    } satisfies DomainRecord;
    expect(findDomainChanges(identified, moved).map(({ field, from, to }) => [field, from, to])).toEqual([
      ['identifiedAs', 'loops', 'alias'],
      ['via', 'config', null],
      ['software', 'loops', null],
      ['version', '1.0.0-beta.13', null],
      ['aliasOf', null, 'new.example.org'],
    ]);
  });

  it('reports a change of noindex only after a first known value', () => {
    const withNoindex = (record: DomainRecord, noindex: boolean) => ({ ...record, host: { ...record.host, noindex } });
    expect(findDomainChanges(failed, withNoindex(failed, true))).toEqual([]);
    expect(findDomainChanges(withNoindex(failed, false), withNoindex(failed, true))).toEqual([
      { field: 'noindex', from: false, to: true, why: null },
    ]);
  });

  it('reports when an instance starts or stops naming another host as canonical', () => {
    const secondary = { ...identified, host: { ...identified.host, canonicalHost: storedDomain('www.example.org') } };
    expect(findDomainChanges(identified, secondary)).toMatchObject([
      { field: 'pointsTo', from: null, to: 'www.example.org' },
    ]);
    expect(findDomainChanges(secondary, identified)).toMatchObject([{ field: 'pointsTo', to: null }]);
  });

  it('states a reason for a change of state only', () => {
    const dead = {
      ...identified,
      state: 'dead',
      stateWhy: 'failed 7 times in a row',
      via: 'nodeinfo',
    } satisfies DomainRecord;
    expect(findDomainChanges(identified, dead).map(({ field, why }) => [field, why])).toEqual([
      ['state', 'failed 7 times in a row'],
      ['via', null],
    ]);
  });

  it('ignores a new reason for the same state', () => {
    expect(findDomainChanges(failed, { ...failed, stateWhy: 'failed: the TLS handshake did not end' })).toEqual([]);
  });
});
