import type { Domain } from '../../src/model/domain/domain.ts';
import type { DomainRecord } from '../../src/model/domain-record.ts';
import { UNKNOWN_HOST } from '../../src/model/facts/host-facts.ts';

/** The record of a domain that was entered at `at` and has not been visited. */
export function unvisitedRecord(domain: Domain, at: number): DomainRecord {
  return {
    domain,
    state: 'new',
    stateSince: at,
    stateWhy: 'not yet visited',
    verdict: null,
    reason: null,
    identifiedAs: null,
    wasEverLoops: false,
    via: null,
    software: null,
    version: null,
    aliasOf: null,
    firstSeen: at,
    lastVisit: null,
    lastSeen: null,
    nextVisit: at,
    nextVisitWhy: 'not yet visited',
    failures: 0,
    failingSince: null,
    consecutiveSameOutcome: 0,
    host: UNKNOWN_HOST,
  };
}
