import { expect, test } from 'vitest';
import { type Domain, storedDomain } from '../../src/model/domain/domain.ts';
import type { DomainRecord } from '../../src/model/domain-record.ts';
import { openStore } from '../../src/store/open-store.ts';
import { compact } from '../../src/store/retention/compact.ts';
import { Thinning } from '../../src/store/retention/thin.ts';
import type { Store } from '../../src/store/store.ts';
import { planOf } from './plan-of.ts';
import { candidates, readOnce } from './sample-source.ts';
import { hour, recordedVisit, unreachableVisit } from './sample-visit.ts';
import { scratchPath, withSqlite } from './scratch.ts';

const day = 24 * hour;
const start = Date.UTC(2026, 0, 1);
const retention = { stepsDays: 30, documentsDays: 30, visitsDays: 400, usageDays: 400, unlistedDays: 90 };
const domainNamed = (name: string) => storedDomain(`${name}.example.org`);

/** Visits all due domains with the result NXDOMAIN; `after` overrides fields of their records. */
function recordDead(store: Store, at: number, after: (domain: Domain) => Partial<DomainRecord> = () => ({})): void {
  store.visits.record(
    store.due.pick(100, at).map((picked) => {
      const { domain } = picked.record;
      const result = recordedVisit(picked, at, { ...unreachableVisit(domain, at), reason: 'dns-nxdomain' });
      const dead = { state: 'dead', stateSince: at, nextVisit: at + 1_000 * day } as const;
      return { ...result, after: { ...result.after, ...dead, ...after(domain) } };
    }),
  );
}

const compactAt = (path: string, at: number) => compact({ path, at, retention, pause: async () => undefined });
const knownDomains = (path: string) =>
  withSqlite(path, (sqlite) => sqlite.prepare('select domain from domains order by domain').pluck().all());

test('compaction deletes and counts exactly the never-seen domains that no source lists any more', async () => {
  const path = scratchPath();
  await using store = await openStore({ path });
  /** Domains that are never deleted: the name of each, and the field that protects it. */
  const kept: Record<string, Partial<DomainRecord>> = {
    'was-loops': { wasEverLoops: true },
    'was-seen': { lastSeen: start },
    'is-other': { identifiedAs: 'other' },
    'is-refused': { reason: 'connect-refused' },
    'is-failing': { state: 'failing' },
  };
  store.domains.enter([domainNamed('added')], start);
  const names = ['made-up1', 'made-up2', 'listed', 'still', 'both', 'added', ...Object.keys(kept)].map(domainNamed);
  readOnce(store, 'liar', candidates(names), start);
  readOnce(store, 'still', candidates([domainNamed('still'), domainNamed('both')]), start);
  recordDead(store, start + day, (domain) => kept[domain.split('.')[0] ?? ''] ?? {});

  // From now on, `liar` lists other domains. The list of `still` is unchanged, so its domains count as listed.
  for (const days of [12, 24, 60, 101]) {
    readOnce(store, 'liar', candidates([domainNamed('listed'), domainNamed(`new${days}`)]), start + days * day);
    readOnce(store, 'still', [], start + days * day, { end: { outcome: 'unchanged' } });
    recordDead(store, start + days * day);
  }
  const before = knownDomains(path);
  expect(await compactAt(path, start + 100 * day)).toMatchObject({ domains: 0 });
  expect(knownDomains(path)).toEqual(before);
  const revision = store.crawler.revision();
  // `both` stays, because `still` lists it.
  expect(await compactAt(path, start + 102 * day)).toMatchObject({ domains: 2, end: 'done' });
  expect(store.crawler.revision()).toBeGreaterThan(revision);
  expect(knownDomains(path)).toEqual(before.filter((domain) => !String(domain).startsWith('made-up')));
  const orphans = ['visits', 'domain_sources', 'changes'].map((table) =>
    withSqlite(path, (sqlite) =>
      sqlite.prepare(`select count(*) from ${table} where domain_id not in (select id from domains)`).pluck().get(),
    ),
  );
  expect(orphans).toEqual([0, 0, 0]);
  expect(await compactAt(path, start + 102 * day)).toMatchObject({ domains: 0 });
  expect(readOnce(store, 'liar', candidates([domainNamed('made-up1')]), start + 102 * day).entered).toBe(1);
});

test('never-seen domains are found by id, and the runs of their sources by source', async () => {
  const plan = await planOf(({ database }) => new Thinning(database).dropNeverSeen({ from: 0, to: 1, before: 0 }));
  expect(plan.find((step) => step.includes(' domains '))).toContain('INTEGER PRIMARY KEY (rowid>? AND rowid<?)');
  expect(plan.join()).toContain('SEARCH domain_sources USING PRIMARY KEY (domain_id=?)');
  expect(plan.join()).toContain('SEARCH source_runs USING INDEX source_runs_of_source (source_id=?)');
});

test('last_listed of a dead domain is updated at most every ten days', async () => {
  const path = scratchPath();
  await using store = await openStore({ path });
  readOnce(store, 'a', candidates([domainNamed('dead')]), start);
  recordDead(store, start);
  const lastListedAfterRun = (at: number) => {
    readOnce(store, 'a', candidates([domainNamed('dead')]), at);
    return withSqlite(path, (sqlite) => sqlite.prepare('select last_listed from domains').pluck().get());
  };
  expect([9, 11, 12, 20, 22].map((days) => lastListedAfterRun(start + days * day))).toEqual([
    null,
    ...[11, 11, 11, 22].map((days) => start + days * day),
  ]);
});
