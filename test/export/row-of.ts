import type { DomainChange } from '../../src/model/change.ts';
import { type Domain, storedDomain } from '../../src/model/domain/domain.ts';
import type { DailyUsage } from '../../src/model/facts/usage-sample.ts';
import type { InstanceHistory } from '../../src/model/instance-record.ts';
import type { VisitOutcome } from '../../src/model/visit.ts';
import type { StoreReader } from '../../src/store/store-reader.ts';

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

/** What a reader offers, in part, by group. */
type Overrides = { [Group in keyof StoreReader]?: Partial<StoreReader[Group]> };

const none = {
  domains: { all: () => [] },
  instances: {
    listed: () => [],
    histories: (): Iterable<InstanceHistory> => [],
    history(this: Pick<StoreReader['instances'], 'histories'>, domain: Domain) {
      return [...this.histories()].find(({ record }) => record.domain === domain) ?? null;
    },
  },
  changes: { published: () => [] },
  usage: { months: () => [], ofMonth: () => [] },
  visits: { months: () => [], ofMonth: () => [], gaps: () => [], firstRecord: () => null, last: () => null },
  sources: { all: () => [], ofInstances: () => [] },
  crawler: { workers: () => [], newestRelease: () => null },
  optOuts: {
    size: 0,
    has: () => false,
    count: () => 0,
    isHidden: () => false,
    lastRequest: () => ({ optOuts: 0, changes: 0 }),
    hasRequestSince: () => false,
  },
} satisfies Overrides;
/** A reader without rows, with the methods that an export uses. */
export const emptySource = none as unknown as StoreReader;

/** A reader with other methods than those of `base`. */
export function sourceOf(overrides: Overrides, base = emptySource): StoreReader {
  const groups = Object.entries(overrides).map(([group, methods]) => [
    group,
    { ...base[group as keyof StoreReader], ...methods },
  ]);
  return { ...base, ...Object.fromEntries(groups) };
}
