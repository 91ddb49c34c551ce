import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import type { Visit } from '../../src/model/visit.ts';
import { openStore } from '../../src/store/open-store.ts';
import type { Usage } from '../bench/measure.ts';
import { fixture } from '../identify/fixture.ts';
import { CONFIG, json, nodeInfoAt, VISITED_AT, visitScript } from '../identify/scripted-visit.ts';
import { runCli } from '../process/run-cli.ts';
import { hour, recordedVisit, sampleDomains } from '../store/sample-visit.ts';
import { scratchPath, withSqlite } from '../store/scratch.ts';

const hosts = 500;
/** Visits per host in the small and in the large database. */
const [few, many] = [10, 60];
/** SQLite's cache alone grows by up to 8 MB with the file. */
const maxGrowthMB = 50;
const measure = fileURLToPath(new URL('../bench/measure.ts', import.meta.url));

/** Creates a database with this many visits per host, all with documents. */
async function fill(path: string, visitsEach: number): Promise<void> {
  const visits = new Map<string, Visit>();
  for (const domain of sampleDomains(hosts)) {
    const script = { [CONFIG]: json(fixture('config-whole')), ...nodeInfoAt(fixture('nodeinfo-loops'), domain) };
    const { visit } = await visitScript(script, { domain });
    visits.set(domain, { ...visit, domain });
  }
  await using store = await openStore({ path });
  store.enter(
    [...visits.values()].map(({ domain }) => domain),
    VISITED_AT,
  );
  for (let leases = store.lease(100, VISITED_AT); leases.length > 0; leases = store.lease(100, VISITED_AT))
    store.record(leases.map((lease) => recordedVisit(lease, VISITED_AT, visits.get(lease.record.domain))));
  multiply(path, visitsEach);
}

/** Copies the visits in the store, at intervals of six hours. */
function multiply(path: string, visitsEach: number): void {
  withSqlite(path, (sqlite) => {
    const columns = (sqlite.pragma('table_info(visits)') as { name: string }[]).flatMap(({ name }) =>
      name === 'id' ? [] : [name],
    );
    const copied = columns.map((name) => (name === 'at' ? `at + step * ${6 * hour}` : name));
    sqlite.exec(`
      begin;
      with recursive steps (step) as (select 1 union all select step + 1 from steps where step < ${visitsEach - 1})
        insert into visits (${columns}) select ${copied} from steps cross join visits order by step, id;
      insert into usage (domain_id, at, visit_id, users, active_month, active_halfyear, posts)
        select domain_id, visits.at, visits.id, users, active_month, active_halfyear, posts
        from visits join usage using (domain_id) where visits.id > ${hosts};
      update latest_documents set visit_id = (select max(id) from visits where domain_id = latest_documents.domain_id);
      update domains set last_visit = (select max(at) from visits where domain_id = domains.id);
      commit`);
  });
}

/** Runs `loopscout replay`; returns its output, its resource usage and the largest size of the write-ahead log. */
async function replay(path: string, ...args: string[]) {
  const usageFile = `${path}.usage`;
  const settingsFile = `${path}.json`;
  writeFileSync(settingsFile, JSON.stringify({ database: path, domains: { allowSuffixes: ['example'] } }));
  let maxWalBytes = 0;
  const timer = setInterval(() => {
    maxWalBytes = Math.max(maxWalBytes, statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0);
  }, 20);
  const { code, stdout, stderr } = await runCli(['replay', '--config', settingsFile, ...args], {
    // A replay that retained its data would exceed this heap limit; garbage that is collected late does not.
    nodeArgs: ['--max-semi-space-size=4', '--max-old-space-size=48', '--import', measure],
    env: { BENCH_USAGE_FILE: usageFile },
  });
  clearInterval(timer);
  expect(code, stderr).toBe(0);
  const usage = JSON.parse(readFileSync(usageFile, 'utf8')) as Usage;
  return { ...usage, stdout, walMB: maxWalBytes / 2 ** 20 };
}

test('from 5,000 to 30,000 visits, the memory use of a replay grows by less than 50 MB; the write-ahead log stays under 15 MB', async () => {
  const [small, large] = [scratchPath(), scratchPath()];
  await Promise.all([fill(small, few), fill(large, many)]);
  const otherSoftwareId = ['--set', 'softwareId=a-name-that-nobody-bears'];

  const [smallRead, largeRead] = await Promise.all([replay(small), replay(large)]);
  expect(largeRead.stdout).toContain(`Read the documents of ${hosts * many} visits: nothing would change.`);
  const [smallWritten, largeWritten] = await Promise.all([
    replay(small, '--apply', ...otherSoftwareId),
    replay(large, '--apply', ...otherSoftwareId),
  ]);
  expect(largeWritten.stdout).toContain(`${hosts * many}  verdict`);
  expect(largeWritten.stdout).not.toContain(' skipped');

  expect(largeRead.peakRssMB - smallRead.peakRssMB).toBeLessThan(maxGrowthMB);
  expect(largeWritten.peakRssMB - smallWritten.peakRssMB).toBeLessThan(maxGrowthMB);
  expect(largeWritten.walMB).toBeLessThan(15);
});
