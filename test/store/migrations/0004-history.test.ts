import SqliteDatabase from 'better-sqlite3';
import { expect, test } from 'vitest';
import { storedDomain } from '../../../src/domain/stored-domain.ts';
import type { InstanceFacts } from '../../../src/record/instance.ts';
import { migrate } from '../../../src/store/migrate.ts';
import { migrations } from '../../../src/store/migrations/index.ts';
import { openStore } from '../../../src/store/open-store.ts';
import { sampleFactsAt } from '../sample-visit.ts';
import { meddle, scratchPath } from '../scratch.ts';

const earlier = ['0001-domains-and-visits', '0002-hosts-and-robots', '0003-registrable-domains'];
const [loops, plain] = ['loops.example.org', 'plain.example.org'].map(storedDomain);
if (!loops || !plain) throw new Error('two domains are needed');
const unknownUsage = { users: null, activeMonth: null, activeHalfyear: null, posts: null, asOf: null };

type Row = Record<string, string | number | Buffer | null>;

function insert(sqlite: SqliteDatabase.Database, table: string, row: Row): void {
  const names = Object.keys(row);
  sqlite.prepare(`insert into ${table} (${names}) values (${names.map((name) => `@${name}`)})`).run(row);
}

/** A database as the first three migrations left it: an instance with three visits, and a domain that was never visited. */
async function earlierDatabase(facts: { read: InstanceFacts[]; kept: InstanceFacts }): Promise<string> {
  const path = scratchPath();
  const sqlite = new SqliteDatabase(path);
  sqlite.pragma('foreign_keys = ON');
  await migrate(sqlite, path, Object.fromEntries(earlier.map((name) => [name, migrations[name] ?? {}])) as never);
  const domain = { registrable_domain: 'example.org', once_loops: 1, failures: 0, repeats: 0 };
  insert(sqlite, 'domains', {
    ...domain,
    id: 7,
    domain: loops ?? '',
    state: 'failing',
    verdict: 'unreachable',
    reason: 'connect-refused',
    conclusive: 'loops',
    via: 'config',
    software: 'loops',
    version: '1.0.0-beta.14',
    first_seen: 500,
    last_visit: 3_000,
    last_seen: 2_000,
    next_visit: 9_000,
  });
  insert(sqlite, 'domains', { ...domain, id: 8, domain: plain ?? '', state: 'new', once_loops: 0, first_seen: 600 });
  for (const id of [1, 2]) {
    insert(sqlite, 'documents', { id, sha256: Buffer.alloc(32, id), bytes: 2, deflated: 0, body: Buffer.from('{}') });
  }
  const visit = { domain_id: 7, duration_ms: 9, via: 'config', software: 'loops', steps: '[]' };
  facts.read.forEach((read, index) => {
    const document = { config_document: index + 1 };
    const decided = { verdict: 'loops', reason: 'config-software', facts: JSON.stringify(read) };
    insert(sqlite, 'visits', { ...visit, ...decided, ...document, id: index + 1, at: (index + 1) * 1_000 });
  });
  insert(sqlite, 'visits', {
    ...visit,
    id: 3,
    at: 3_000,
    verdict: 'unreachable',
    reason: 'connect-refused',
    via: null,
  });
  insert(sqlite, 'facts', { domain_id: 7, facts: JSON.stringify(facts.kept), checked_at: 2_000 });
  insert(sqlite, 'robots', { domain_id: 7, read_at: 1_000, body: null });
  sqlite.close();
  return path;
}

const first = sampleFactsAt(1_000);
const second: InstanceFacts = { ...sampleFactsAt(2_000), name: 'Rénamed "2"', usage: unknownUsage };

test('carries over visits with their facts, counts and documents', async () => {
  const path = await earlierDatabase({ read: [first, second], kept: { ...second, usage: first.usage } });
  await using store = await openStore({ path, now: () => 10_000 });
  using reader = store.reader();
  const visits = [...reader.visitsOf(loops)];
  expect(visits.map(({ id, at, verdict, facts, documents }) => ({ id, at, verdict, facts, documents }))).toEqual([
    { id: 3, at: 3_000, verdict: 'unreachable', facts: null, documents: {} },
    { id: 2, at: 2_000, verdict: 'loops', facts: second, documents: { config: 2 } },
    { id: 1, at: 1_000, verdict: 'loops', facts: first, documents: { config: 1 } },
  ]);
  expect([...reader.usageOf(loops)]).toEqual([
    { at: 1_000, users: 1234, activeMonth: 321, activeHalfyear: 654, posts: 9876 },
  ]);
  expect([...reader.documentedVisits()].map(({ visit, isLatest }) => [visit.id, isLatest])).toEqual([
    [1, false],
    [2, true],
  ]);
  expect(reader.lastVisitId()).toBe(3);
  expect([...reader.changesOf(loops)]).toEqual([]);
  expect(meddle(path, (sqlite) => sqlite.pragma('foreign_key_check'))).toEqual([]);
});

test('carries over what is kept of an instance, with the age of each fact', async () => {
  const kept = { ...second, usage: first.usage };
  const path = await earlierDatabase({ read: [first, second], kept });
  await using store = await openStore({ path, now: () => 10_000 });
  using reader = store.reader();
  const facts = reader.factsOf(loops);
  expect(facts).toMatchObject({ facts: kept, checkedAt: 2_000 });
  expect(facts?.readAt).toMatchObject({ name: 2_000, 'limits.videoFormats': 2_000, usage: 1_000 });
  expect(facts?.readAt).not.toHaveProperty(['features.starterKits']);
  expect(reader.factsOf(plain)).toBeNull();
  expect([...reader.instances(3_000)].map(({ domain }) => domain)).toEqual([loops]);
});

test('says of the state of every domain that it was recorded before transitions were kept', async () => {
  const path = await earlierDatabase({ read: [first, second], kept: second });
  await using store = await openStore({ path, now: () => 10_000 });
  using reader = store.reader();
  const stateWhy = 'recorded before transitions were kept';
  expect(reader.find(loops)).toMatchObject({ state: 'failing', stateSince: 3_000, stateWhy, nextVisit: 9_000 });
  expect(reader.find(plain)).toMatchObject({ state: 'new', stateSince: 600, stateWhy });
  expect(store.keptRobots(loops)).toEqual({ readAt: 1_000, body: null });
});

test('keeps facts once that many visits read, and counts that are unknown are not counted as any', async () => {
  const path = await earlierDatabase({ read: [second, second], kept: second });
  await using store = await openStore({ path, now: () => 10_000 });
  using reader = store.reader();
  expect([...reader.usageOf(loops)]).toEqual([]);
  expect(reader.factsOf(loops)?.readAt).not.toHaveProperty(['usage']);
  const rows = meddle(path, (sqlite) => ({
    sets: sqlite.prepare('select count(*) from fact_sets').pluck().get(),
    kept: sqlite.prepare('select facts_id, kept_facts_id, state from visits order by id').all(),
  }));
  const one = { facts_id: 1, kept_facts_id: 1, state: null };
  expect(rows).toEqual({ sets: 1, kept: [one, one, { facts_id: null, kept_facts_id: null, state: null }] });
});
