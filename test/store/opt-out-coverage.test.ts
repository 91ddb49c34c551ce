import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Domain, storedDomain } from '../../src/model/domain/domain.ts';
import { openStore } from '../../src/store/open-store.ts';
import type { Store } from '../../src/store/store.ts';
import { candidates, readOnce } from './sample-source.ts';
import { loopsVisit, recordedVisit } from './sample-visit.ts';
import { scratchPath, withSqlite } from './scratch.ts';

const start = Date.UTC(2026, 0, 1);
const names = (...list: string[]) => list.map(storedDomain);
/** The names that an opt-out of the host `out.example.org` covers, and similar names that it does not cover. */
const covered = names('out.example.org', 'www.out.example.org', 'out.example.org:8443', 'www.out.example.org:8443');
const others = names('sub.out.example.org', 'www2.out.example.org', 'ut.example.org', 'out.example.org.example.net');

function visitAll(store: Store, domains: readonly Domain[], at: number, aliasOf: Domain | null = null): void {
  store.domains.requestVisit(domains, at);
  const picked = store.due.pick(99, at, domains);
  store.visits.record(
    picked.map((one) => {
      const result = recordedVisit(one, at, loopsVisit(one.record.domain, at));
      if (aliasOf === null) return result;
      const host = { ...result.after.host, canonicalHost: aliasOf };
      return {
        ...result,
        visit: { ...result.visit, verdict: 'alias', reason: 'redirected', aliasOf },
        after: { ...result.after, identifiedAs: 'alias', aliasOf, host },
      };
    }),
  );
}

function statesOfDomains(store: Store): [Domain, string][] {
  using reader = store.reader();
  return [...reader.domains.all()].map(({ domain, state }) => [domain, state]);
}

const allRows = (path: string) =>
  withSqlite(path, (sqlite) => {
    const tables = sqlite.prepare(`select name from sqlite_schema where type = 'table'`).pluck().all() as string[];
    return JSON.stringify(tables.map((table) => sqlite.prepare(`select * from ${table}`).all()));
  });

test.each(covered.slice(0, 2))(
  'forgetting %s purges the host and its www. name at every port, and no other host',
  async (optedOut) => {
    const path = scratchPath();
    await using store = await openStore({ path });
    visitAll(store, [...covered, ...others], start);
    const aliases = names('alias1.example.net', 'alias2.example.net', 'alias3.example.net', 'alias4.example.net');
    for (const [index, alias] of aliases.entries()) visitAll(store, [alias], start, covered[index] ?? null);
    readOnce(store, 'a', candidates([...covered, ...others], 'loops'), start);
    expect(store.optOuts.forget([optedOut], start + 1)).toEqual([]);
    const expectedStates = [
      ...others.map((domain) => [domain, 'active']),
      ...aliases.map((domain) => [domain, 'active']),
    ];
    expect(statesOfDomains(store)).toEqual(expectedStates.toSorted());
    // Apart from the opt-out, the name remains only inside longer names.
    const remaining = allRows(path).replaceAll(/(?:sub|www2)\.out\.example|out\.example\.org\.example/g, '');
    expect(remaining.split('out.example').length - 1).toBe(1);
    expect(withSqlite(path, (sqlite) => sqlite.pragma('foreign_key_check'))).toEqual([]);
    using reader = store.reader();
    for (const domain of covered) {
      expect(reader.domains.listingOf(domain)).toEqual({ listed: false, because: 'opted-out', since: start + 1 });
      expect(reader.optOuts.isHidden(domain)).toBe(true);
    }
  },
);

test('forgetting a host with a port does not affect its other ports', async () => {
  await using store = await openStore({ path: scratchPath() });
  visitAll(store, [...covered, ...others], start);
  const [bare, www, port, twin] = covered as [Domain, Domain, Domain, Domain];
  store.optOuts.forget([port], start + 1);
  expect(covered.filter((name) => store.optOuts.has(name))).toEqual([port, twin]);
  expect(statesOfDomains(store)).toEqual([bare, www, ...others].map((domain) => [domain, 'active']).toSorted());
  expect(store.optOuts.forget([bare, www], start + 2)).toEqual([www]);
  expect(statesOfDomains(store).filter(([domain]) => covered.includes(domain))).toEqual([]);
});

test('covered domains cannot be entered or requested, and their visits in progress are not recorded', async () => {
  const path = scratchPath();
  await using store = await openStore({ path });
  await using crawl = await openStore({ path });
  const [optedOut, ...otherNames] = covered as [Domain, ...Domain[]];
  crawl.domains.enter(otherNames, start);
  const picked = crawl.due.pick(9, start);
  expect(picked).toHaveLength(3);
  store.optOuts.forget([optedOut], start);
  const late = picked.map((one) => recordedVisit(one, start + 1));
  expect(crawl.visits.record(late)).toEqual(late);
  expect([store.domains.enter(covered, start), store.domains.enterFound(covered, start, 9)]).toEqual([0, 0]);
  expect(store.domains.requestVisit(covered, start)).toEqual({ optedOut: covered });
  expect(store.domains.reactivate(covered, start, (before) => before)).toEqual({ optedOut: covered });
  expect(readOnce(store, 'a', candidates(covered), start)).toMatchObject({ entered: 0, known: 0, optedOut: 4 });
  expect(statesOfDomains(store)).toEqual([]);
});

test('a purge counts as published once all files were rewritten after it', async () => {
  await using store = await openStore({ path: scratchPath() });
  store.optOuts.forget(names('first.example.net'), start);
  expect(store.optOuts.unpublishedPurge()).toBe(1);
  store.optOuts.forget(names('second.example.net'), start);
  store.optOuts.markPurgePublished(1);
  expect(store.optOuts.unpublishedPurge()).toBe(2);
  store.optOuts.markPurgePublished(2);
  store.optOuts.forget(names('second.example.net'), start);
  expect(store.optOuts.unpublishedPurge()).toBeNull();
});

test('a large list of opt-outs is stored completely', async () => {
  await using store = await openStore({ path: scratchPath() });
  const many = Array.from({ length: 1_200 }, (_, index) => storedDomain(`h${index}.example.net`));
  store.optOuts.forget(many, start);
  expect(store.domains.enter([...many, ...others], start)).toBe(others.length);
  expect(store.domains.enter(names('www.h7.example.net', 'h1199.example.net:8080'), start)).toBe(0);
});

test('several opt-outs of which one covers the others count as one', async () => {
  await using store = await openStore({ path: scratchPath() });
  visitAll(store, others, start);
  const [bare, www, port] = covered as [Domain, Domain, Domain];
  using reader = store.reader();
  expect(reader.optOuts.count()).toBe(0);
  store.optOuts.forget(names('out.example.org:8443', 'www.out.example.org:9443', 'else.example.net:1234'), start + 10);
  expect(reader.optOuts.count()).toBe(3);
  // Covers the two earlier opt-outs of ports of the same host.
  store.optOuts.forget([www], start + 20);
  expect(reader.optOuts.count()).toBe(2);
  store.optOuts.forget([bare, port, ...names('www.else.example.net:1234')], start + 30);
  expect(reader.optOuts.count()).toBe(2);
  store.optOuts.forget(names('other.example.net'), start + 40);
  expect(reader.optOuts.count()).toBe(3);
});

test('the SQL statement in docs/opt-out.md removes an opt-out, and the domain can be entered again', async () => {
  const path = scratchPath();
  await using store = await openStore({ path });
  const page = readFileSync(join(import.meta.dirname, '../../docs/opt-out.md'), 'utf8');
  const statement = /```sql\n(delete.*?)```/s.exec(page)?.[1] ?? '';
  const [domain, other] = names('loops.example.org', 'other.example.org') as [Domain, Domain];
  store.optOuts.forget(names('www.loops.example.org'), start);
  store.optOuts.forget([other], start);
  withSqlite(path, (sqlite) => sqlite.exec(statement.replaceAll('loops.example', domain)));
  expect([domain, other].filter((name) => store.optOuts.has(name))).toEqual([other]);
  expect(store.domains.enter([domain], start)).toBe(1);
});
