import type { Domain } from '../../src/model/domain/domain.ts';
import type { Visit } from '../../src/model/visit.ts';
import { openStore } from '../../src/store/open-store.ts';
import type { Store } from '../../src/store/store.ts';
import {
  hour,
  loopsVisit,
  recordedVisit,
  sampleDomains,
  sampleFactsAt,
  unreachableVisit,
} from '../store/sample-visit.ts';

const BATCH = 512;

export interface HistorySize {
  /** Known domains, including the instances. */
  readonly domains: number;
  readonly instances: number;
  /** Visits of each instance, six hours apart. */
  readonly visitsEach: number;
}

/**
 * Creates a database like that of a service after some months, through the store itself. Instances have many visits, with growing
 * counts, a new version every twenty visits, and one failed visit in twenty; other domains have one visit. Returns the end time.
 */
export async function fillHistory(path: string, { domains, instances, visitsEach }: HistorySize): Promise<number> {
  await using store = await openStore({ path });
  const endAt = Date.UTC(2026, 6, 1);
  const start = endAt - visitsEach * 6 * hour;
  for (let offset = instances; offset < domains; offset += 10_000) {
    const others = sampleDomains(Math.min(10_000, domains - offset), offset);
    store.domains.enter(others, start);
    visitAll(store, others, start, otherVisit);
  }
  const servers = sampleDomains(instances);
  store.domains.enter(servers, start);
  for (let round = 0; round < visitsEach; round += 1) {
    const at = start + round * 6 * hour;
    visitAll(store, servers, at, (domain, _at, index) => serverVisit(domain, at, round, index));
  }
  return endAt;
}

function visitAll(
  store: Store,
  domains: readonly Domain[],
  at: number,
  createVisit: (domain: Domain, at: number, index: number) => Visit,
): void {
  for (let offset = 0; offset < domains.length; offset += BATCH) {
    const only = domains.slice(offset, offset + BATCH);
    store.domains.requestVisit(only, at);
    const picked = store.due.pick(BATCH, at, only);
    store.visits.record(
      picked.map((picked, index) => recordedVisit(picked, at, createVisit(picked.record.domain, at, offset + index))),
    );
  }
}

export function otherVisit(domain: Domain, at: number): Visit {
  const outcome = { verdict: 'other', reason: 'nodeinfo-software', via: 'nodeinfo', software: 'mastodon' } as const;
  return loopsVisit(domain, at, { ...outcome, version: '4.3.1', facts: null, steps: [] });
}

function serverVisit(domain: Domain, at: number, round: number, index: number): Visit {
  if ((round + index) % 20 === 19) return { ...unreachableVisit(domain, at), steps: [] };
  const version = `1.${Math.floor((round + index) / 20)}.0`;
  const facts = sampleFactsAt(at);
  const usage = { ...facts.usage, users: 100 + index + round, posts: 10 * round };
  return loopsVisit(domain, at, { version, steps: [], facts: { ...facts, version, name: domain, usage } });
}
