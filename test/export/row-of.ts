import type { DomainChange } from '../../src/model/change.ts';
import { storedDomain } from '../../src/model/domain/domain.ts';
import type { DailyUsage } from '../../src/model/facts/usage-sample.ts';
import { createOptOutSet } from '../../src/model/opt-outs/opt-out-names.ts';
import type { VisitOutcome } from '../../src/model/visit.ts';
import type { StoreQueries } from '../../src/store/store-reader.ts';

export const START = Date.UTC(2026, 0, 1);

export function changeOf(domain: string, overrides: Partial<DomainChange> = {}): DomainChange {
  return {
    domain: storedDomain(domain),
    at: START + 2000,
    field: 'version',
    from: '0.9.0',
    to: '1.0.0',
    why: null,
    missing: null,
    cause: 'visit',
    ...overrides,
  };
}

export function visitOf(domain: string, overrides: Partial<VisitOutcome> = {}): VisitOutcome {
  return {
    id: 1,
    domain: storedDomain(domain),
    at: START + 1000,
    durationMs: 210,
    verdict: 'loops',
    reason: 'config-software',
    via: 'config',
    software: 'loops',
    version: '1.0.0',
    aliasOf: null,
    state: 'active',
    flags: ['version-mismatch'],
    ...overrides,
  };
}

export function usageOf(domain: string, overrides: Partial<DailyUsage> = {}): DailyUsage {
  return {
    domain: storedDomain(domain),
    at: START + 900,
    users: 100,
    activeMonth: 20,
    activeHalfyear: 50,
    posts: 900,
    missing: [],
    ...overrides,
  };
}

const methods: Partial<StoreQueries> = {
  domains: () => [],
  isHidden: () => false,
  lastRequest: () => ({ optOuts: 0, changes: 0 }),
  hasRequestSince: () => false,
  optOutCount: () => 0,
  optedOut: createOptOutSet(new Set()),
  instances: () => [],
  changes: () => [],
  histories: () => [],
  memberships: () => [],
  visitMonths: () => [],
  visits: () => [],
  usageMonths: () => [],
  usage: () => [],
  gaps: () => [],
  workers: () => [],
  sourceStates: () => [],
  firstRecord: () => null,
  lastVisit: () => null,
};
/** A reader without rows, with the methods that an export uses. */
export const emptySource = methods as StoreQueries;
