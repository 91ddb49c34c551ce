/**
 * `npm run bench -- as-of [DOMAINS] [INSTANCES]`, by default 1,000,000 and 10,000: cost of reading a past state, in a database of a
 * tenth of this size, then of the full size. Each instance has a visit every 6 hours for the last 60 of 180 days, each other domain
 * six visits; the past time is day 150. Reads the state now, reads it as of that time, and compares the two, each in its own process.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { diffDirectory } from '../../src/app/database.ts';
import { loadSettings } from '../../src/settings/settings.ts';
import { openReader } from '../../src/store/open-reader.ts';
import { openStore } from '../../src/store/open-store.ts';
import { hour, loopsVisit, recordedVisit, sampleDomains } from '../store/sample-visit.ts';

const MEASURE = '--measure';
const START = Date.UTC(2026, 0, 1);
const DAY = 24 * hour;
const NOW = START + 180 * DAY;
const PAST = START + 150 * DAY + 3 * hour;
const printLine = (line: string) => process.stdout.write(`${line}\n`);

async function fill(path: string, domains: number, instances: number): Promise<void> {
  const clock = { at: START };
  {
    // The store records one instance; the others are copied from it.
    await using store = await openStore({ path, now: () => clock.at });
    const [first] = sampleDomains(1);
    if (first === undefined) throw new Error('one domain is needed');
    store.enter([first], START);
    const [lease] = store.lease(1, START);
    if (lease === undefined) throw new Error('nothing is due');
    store.record([recordedVisit(lease, START, loopsVisit(first, START))]);
  }
  const sqlite = new SqliteDatabase(path);
  sqlite.pragma('synchronous = off');
  const columnsExcept = (table: string, without: readonly string[]) =>
    (sqlite.prepare(`select name from pragma_table_info('${table}')`).pluck().all() as string[]).filter(
      (name) => !without.includes(name),
    );
  const copiedColumns = columnsExcept('domains', [
    'id',
    'domain',
    'registrable_domain',
    'identified_as',
    'was_ever_loops',
    'verdict',
  ]);
  // The factor scatters the names, so that the order of names differs from that of ids.
  sqlite.exec(`
    begin;
    with recursive number (value) as (select 2 union all select value + 1 from number where value < ${domains})
      insert into domains (id, domain, registrable_domain, identified_as, was_ever_loops, verdict, ${copiedColumns.join(', ')})
      select value, 'd' || (value * 2654435761 % 4294967296) || '-' || value || '.example.org', 'site' || value || '.org',
        case when value <= ${instances} then 'loops' else 'other' end, value <= ${instances},
        case when value <= ${instances} then 'loops' else 'other' end, ${copiedColumns.join(', ')}
      from number cross join domains where id = 1;
    insert into facts select domains.id, facts_id, usage, checked_at, read_at from facts cross join domains
      where facts.domain_id = 1 and domains.id between 2 and ${instances};
  `);
  const copiedVisitColumns = columnsExcept('visits', [
    'id',
    'domain_id',
    'at',
    'verdict',
    'recorded_ms',
    'steps',
    'facts_id',
    'merged_facts_id',
    'next_visit',
  ]);
  const insert = sqlite.prepare(
    `insert into visits (domain_id, at, verdict, recorded_ms, facts_id, merged_facts_id, next_visit, ${copiedVisitColumns.join(', ')})
      select domains.id, @at + domains.id % @spreadMs, domains.verdict, 300,
        iif(domains.verdict = 'loops', facts_id, null), iif(domains.verdict = 'loops', merged_facts_id, null), @at + @everyMs,
        ${copiedVisitColumns.map((name) => `visits.${name}`).join(', ')}
      from domains cross join visits where visits.id = 1 and domains.id between @from and @to order by domains.id % @spreadMs`,
  );
  for (let day = 0; day < 180; day += 30) {
    insert.run({ at: START + day * DAY + 1, spreadMs: DAY, everyMs: 30 * DAY, from: instances + 1, to: domains });
    // Instances have visits from day 120.
    for (let at = START + day * DAY; day >= 120 && at < START + (day + 30) * DAY; at += 6 * hour) {
      insert.run({ at: at + 2, spreadMs: hour, everyMs: 6 * hour, from: 1, to: instances });
    }
  }
  sqlite.exec(`
    insert or ignore into usage select domain_id, at, id, 1234, 321, 654, 9876 from visits where facts_id is not null;
    update domains set last_visit = (select max(at) from visits where domain_id = domains.id);
    update domains set last_seen = last_visit, next_visit = last_visit + ${6 * hour};
    update facts set checked_at = (select last_visit from domains where id = domain_id);
    insert into changes (domain_id, at, field, from_value, to_value, cause, visit_id)
      select domain_id, at, 'version', '"1.0.0"', '"1.0.0-beta.14"', 'visit', id from visits where id % 50 = 0;
    commit;
    pragma wal_checkpoint(truncate);
  `);
  sqlite.close();
}

async function measure(what: string, path: string): Promise<void> {
  const startedAt = performance.now();
  const elapsed = () => `${((performance.now() - startedAt) / 1_000).toFixed(1)} s`;
  let summary = '';
  if (what === 'diff') {
    const settings = loadSettings({ file: null, env: {}, cwd: tmpdir(), flags: { database: path } });
    const { listed } = await diffDirectory(settings, { from: PAST, to: null, now: NOW });
    summary = `${listed.before} and ${listed.after} instances`;
  } else {
    const isPast = what === 'as-of';
    const at = isPast ? PAST : NOW;
    using reader = openReader(path, { busyTimeoutMs: 1_000, ...(isPast ? { asOf: { at } } : { snapshot: true }) });
    const openedAfter = elapsed();
    let [domains, instances] = [0, 0];
    for (const _ of reader.domains()) domains += 1;
    const readAfter = elapsed();
    for (const _ of reader.instances(at)) instances += 1;
    summary = `opened after ${openedAfter}, ${domains} domains after ${readAfter}, ${instances} instances`;
  }
  const megabytes = (process.resourceUsage().maxRSS / 1_024).toFixed(0);
  printLine(`${what.padEnd(8)}${summary}, all after ${elapsed()}; ${megabytes} MB at most`);
}

if (process.argv[2] === MEASURE) {
  await measure(process.argv[3] ?? '', process.argv[4] ?? '');
} else {
  const domains = Number(process.argv[2] ?? 1_000_000);
  const instances = Number(process.argv[3] ?? 10_000);
  const folder = mkdtempSync(join(tmpdir(), 'loopscout-bench-'));
  try {
    for (const divisor of [10, 1]) {
      const path = join(folder, `${divisor}.sqlite`);
      await fill(path, domains / divisor, instances / divisor);
      printLine(
        `${domains / divisor} domains, ${instances / divisor} instances, ${(statSync(path).size / 2 ** 20).toFixed(0)} MB`,
      );
      for (const what of ['now', 'as-of', 'diff']) {
        process.stdout.write(execFileSync(process.execPath, [import.meta.filename, MEASURE, what, path]));
      }
      rmSync(path);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}
