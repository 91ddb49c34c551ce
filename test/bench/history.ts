/**
 * `npm run bench -- history [INSTANCES]`, by default 10,000: cost of the history. First measures the time to read the uptime of
 * every instance, with 120 visits a month. Then measures the bytes per domain and year in a file, for a Loops instance visited every
 * 6 h, other software every 7 days and a dead domain every 30 days, after the details older than 30 days were deleted.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
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

const instances = Number(process.argv[2] ?? 10_000);
const start = Date.UTC(2026, 0, 1);
const day = 24 * hour;
const encoder = new TextEncoder();
const printLine = (line: string) => process.stdout.write(`${line}\n`);

async function withScratchStore(work: (path: string, store: Store) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'loopscout-bench-'));
  try {
    const path = join(folder, 'store.sqlite');
    await using store = await openStore({ path });
    await work(path, store);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function visitAll(store: Store, domains: readonly Domain[], at: number, createVisit: (domain: Domain) => Visit): void {
  store.domains.requestVisit(domains, at);
  for (let remaining = domains; remaining.length > 0; remaining = remaining.slice(200)) {
    const picked = store.due.pick(200, at, remaining.slice(0, 200));
    store.visits.record(picked.map((picked) => recordedVisit(picked, at, createVisit(picked.record.domain))));
  }
}

async function measureUptime(): Promise<void> {
  await withScratchStore(async (path, store) => {
    const domains = sampleDomains(instances);
    store.domains.enter(domains, start);
    visitAll(store, domains, start, (domain) => loopsVisit(domain, start));
    const sqlite = new SqliteDatabase(path);
    sqlite
      .prepare(
        `with recursive steps (value) as (select 1 union all select value + 1 from steps where value < 119)
          insert into visits (domain_id, at, duration_ms, verdict, reason, via, software, version, state)
          select domains.id, ? + value * ?, 200,
            case when value % 20 = 0 then 'unreachable' else 'loops' end,
            case when value % 20 = 0 then 'connect-timeout' else 'config-software' end,
            'config', 'loops', '1.0.0-beta.14', 'active'
          from steps cross join domains`,
      )
      .run(start, 6 * hour);
    sqlite.close();
    using reader = store.reader();
    /** Calls `read`, and returns as text how many rows it read and how long it took. */
    const describeReading = (read: () => number): string => {
      const before = performance.now();
      const count = read();
      return `${count} in ${(performance.now() - before).toFixed(0)} ms`;
    };
    const at = start + 30 * day;
    printLine(`instances with uptime: ${describeReading(() => [...reader.instances.listed(at)].length)}`);
    const alone = describeReading(() => {
      for (const domain of domains) reader.uptimes.of(domain, at);
      return domains.length;
    });
    printLine(`uptime alone, looked up by domain name: ${alone}`);
  });
}

/** Bytes of each table with its indexes in a vacuumed file. */
function sizesByTable(path: string): Map<string, number> {
  const sqlite = new SqliteDatabase(path);
  sqlite.exec('vacuum');
  const rows = sqlite
    .prepare<[], { name: string; bytes: number }>(
      `select tbl_name as name, sum(pgsize) as bytes from dbstat join sqlite_schema using (name) group by tbl_name`,
    )
    .all();
  sqlite.close();
  return new Map(rows.map(({ name, bytes }) => [name, bytes]));
}

/** Deletes what the default retention deletes. */
function deleteDetails(path: string, before: number): void {
  const sqlite = new SqliteDatabase(path);
  sqlite.pragma('foreign_keys = ON');
  sqlite
    .prepare(
      `update visits set config_document = null, discovery_document = null, nodeinfo_document = null
        where at < ?`,
    )
    .run(before);
  sqlite.prepare('delete from visit_steps where visit_id in (select id from visits where at < ?)').run(before);
  const columns = ['config_document', 'discovery_document', 'nodeinfo_document'];
  const used = ['visits', 'latest_documents'].flatMap((table) =>
    columns.map((column) => `select ${column} from ${table} where ${column} is not null`),
  );
  sqlite.exec(`delete from documents where id not in (${used.join(' union ')})`);
  // Of the older counts, those at midnight remain: one per day.
  sqlite.prepare('delete from usage where at < ? and (at / 86400000) * 86400000 <> at').run(before);
  sqlite.close();
}

async function measureDomainYear(
  what: string,
  everyMs: number,
  domains: readonly Domain[],
  createVisit: (domain: Domain, at: number) => Visit,
) {
  await withScratchStore(async (path, store) => {
    store.domains.enter(domains, start);
    let visits = 0;
    for (let at = start; at < start + 365 * day; at += everyMs, visits += 1) {
      visitAll(store, domains, at, (domain) => createVisit(domain, at));
    }
    deleteDetails(path, start + 335 * day);
    const perDomain = [...sizesByTable(path)].map(([name, bytes]) => [name, bytes / domains.length] as const);
    const total = perDomain.reduce((sum, [, bytes]) => sum + bytes, 0);
    const parts = perDomain.filter(([, bytes]) => bytes > 20).sort(([, a], [, b]) => b - a);
    printLine(
      `${what}, ${visits} visits a year: ${Math.round(total).toLocaleString('en')} bytes per domain and year; ` +
        parts.map(([name, bytes]) => `${name} ${Math.round(bytes).toLocaleString('en')}`).join(', '),
    );
  });
}

await measureUptime();
await measureDomainYear('a Loops instance', 6 * hour, sampleDomains(20), (domain, at) => {
  const facts = sampleFactsAt(at);
  const month = Math.floor((at - start) / (30 * day));
  const version = `1.${month}.0`;
  const usage = { ...facts.usage, posts: Math.floor((at - start) / (6 * hour)) };
  const documents = {
    config: encoder.encode(JSON.stringify({ domain, version, settings: 'x'.repeat(700) })),
    discovery: encoder.encode(JSON.stringify({ links: [{ href: `https://${domain}/nodeinfo/2.0` }] })),
    nodeinfo: encoder.encode(JSON.stringify({ domain, version, usage })),
  };
  return loopsVisit(domain, at, { version, documents, facts: { ...facts, version, name: domain, usage } });
});
await measureDomainYear('other software', 7 * day, sampleDomains(1_000), (domain, at) => {
  const documents = {
    discovery: encoder.encode(JSON.stringify({ links: [{ href: `https://${domain}/nodeinfo/2.0` }] })),
    nodeinfo: encoder.encode(JSON.stringify({ domain, usage: at, software: 'x'.repeat(300) })),
  };
  const outcome = { verdict: 'other', reason: 'nodeinfo-software', via: 'nodeinfo', software: 'mastodon' } as const;
  return loopsVisit(domain, at, { ...outcome, version: '4.3.1', facts: null, documents });
});
await measureDomainYear('a dead domain', 30 * day, sampleDomains(1_000), unreachableVisit);
