import type { DomainChange } from '../../src/model/change.ts';
import { storedDomain } from '../../src/model/domain/domain.ts';
import type { DomainRecord } from '../../src/model/domain-record.ts';
import { UNKNOWN_HOST } from '../../src/model/facts/host-facts.ts';
import type { InstanceFacts } from '../../src/model/facts/instance-facts.ts';
import type { UsageSample } from '../../src/model/facts/usage-sample.ts';
import type { InstanceHistory, InstanceRecord } from '../../src/model/instance-record.ts';
import type { KnownDomain } from '../../src/store/domains/known-domains.ts';
import { bothRead } from '../model/facts/sample-visit-facts.ts';
import { unknownFeatures, unknownLimits } from '../model/facts/unknown-facts.ts';

const START = Date.UTC(2026, 0, 1);

/** A domain whose only visit found other software. */
export function domainRecordOf(domain: string, overrides: Partial<KnownDomain> = {}): KnownDomain {
  return {
    domain: storedDomain(domain),
    state: 'active',
    stateSince: START + 1000,
    stateWhy: 'answered: the NodeInfo 2.0 document names the software',
    verdict: 'other',
    reason: 'nodeinfo-software',
    identifiedAs: 'other',
    wasEverLoops: false,
    via: 'nodeinfo',
    software: 'pixelfed',
    version: '0.12.4',
    aliasOf: null,
    firstSeen: START,
    lastVisit: START + 1000,
    lastSeen: START + 1000,
    nextVisit: START + 604_800_000,
    nextVisitWhy: null,
    failures: 0,
    failingSince: null,
    consecutiveSameOutcome: 1,
    host: {
      ...UNKNOWN_HOST,
      address: '198.51.100.7',
      hosting: { country: 'DE', asn: 64_500, network: 'Example; Ltd', behind: null },
    },
    listedBy: [],
    ...overrides,
  };
}

/** A listed instance with all facts known. */
export function instanceRecordOf(
  domain: string,
  overrides: Partial<DomainRecord> & { facts?: Partial<InstanceFacts> } = {},
): InstanceRecord {
  const { facts, ...rest } = overrides;
  return {
    ...domainRecordOf(domain, {
      verdict: 'loops',
      reason: 'config-software',
      identifiedAs: 'loops',
      wasEverLoops: true,
      via: 'config',
      software: 'loops',
      version: '1.0.0',
      ...rest,
    }),
    checkedAt: START + 1000,
    readAt: {},
    missing: [],
    uptime: {
      day: { share: 1, coverage: 0.98765432 },
      week: { share: 0.66666666, coverage: 0.75 },
      month: { share: null, coverage: 0.2 },
    },
    usageBefore: { at: START - 2_592_000_000, users: 88, activeMonth: 18, activeHalfyear: 40, posts: 700 },
    facts: bothRead(START + 900, {
      ...{ name: 'Loops', description: 'Short videos.', version: '1.0.0' },
      registration: { open: true, mode: 'open' },
      usage: { users: 100, activeMonth: 20, activeHalfyear: 50, posts: 900, asOf: new Date(START + 900).toISOString() },
      flags: ['version-mismatch'],
      notes: [{ field: 'account.max_bio', problem: 'a string' }],
      ...facts,
    }),
  };
}

/** An instance with the rows of its history. */
export interface RecordedInstance {
  record: InstanceRecord;
  changes?: DomainChange[];
  usage?: UsageSample[];
}

export function historyOf({ record: instance, changes = [], usage = [] }: RecordedInstance): InstanceHistory {
  const { facts, ...record } = instance;
  const { checkedAt, missing } = record;
  return { record, facts, checkedAt, missing, changes: () => changes, usage: () => usage };
}

/** Facts of an instance that reports only its software. */
export const unknownFacts: Partial<InstanceFacts> = {
  name: null,
  description: null,
  version: null,
  registration: { open: null, mode: null },
  federation: null,
  features: unknownFeatures,
  gifProviderBrand: null,
  limits: unknownLimits,
  usage: { users: null, activeMonth: null, activeHalfyear: null, posts: null, asOf: null },
  flags: [],
  notes: [],
};
