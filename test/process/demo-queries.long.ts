import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { InstancesFile } from '../../src/directory/schema/instances-file.ts';
import type { StatsFile } from '../../src/directory/schema/stats-file.ts';
import { queryDuckDb } from '../export/duckdb.ts';
import { type CliResult, repository, run, runCli } from './run-cli.ts';

const DATA_FILE = /^(?!schema\/).*\.(json|ndjson|csv|parquet)(\.gz)?$/;

let temporary: string;
let dir: string;
let instances: InstancesFile['instances'];
let demo: CliResult;

beforeAll(async () => {
  temporary = mkdtempSync(join(tmpdir(), 'loopscout-test-'));
  demo = await runCli(['demo', '--once', '--hosts', '80'], { env: { TMPDIR: temporary } });
  dir = /to (\S+export) /.exec(demo.stdout)?.[1] ?? expect.fail(demo.stdout + demo.stderr);
  instances = (JSON.parse(readFileSync(join(dir, 'instances.json'), 'utf8')) as InstancesFile).instances;
}, 120_000);

afterAll(() => {
  rmSync(temporary, { recursive: true, force: true });
});

test('the demo identifies every Loops server of its fleet and no other host', () => {
  const { code, stdout, stderr } = demo;
  expect(code, stdout + stderr).toBe(0);
  expect(stdout).toMatch(
    /All \d+ Loops servers of the fleet were identified, and no other host \(of \d+\) was identified as one/,
  );
  const [, loopsVisits, otherVisits] =
    /among the first (\d+) visits; half of the others, among the first (\d+)/.exec(stdout) ?? [];
  expect(Number(loopsVisits)).toBeLessThan(Number(otherVisits));
  expect(stdout).toMatch(/only here[\s\S]*directory/);
  expect(instances.length).toBeGreaterThan(8);
  expect(instances.every(({ software }) => software === 'loops')).toBe(true);
});

describe('DuckDB, on the export of the demo', () => {
  test('opens every data file', async () => {
    const names = (readdirSync(dir, { recursive: true }) as string[]).filter((name) => DATA_FILE.test(name));
    expect(names.filter((name) => name.endsWith('.parquet')).length).toBeGreaterThan(2);
    const rows: Record<string, number> = {};
    for (const name of names) {
      const [row] = await queryDuckDb(`select count(*)::int as count from '${join(dir, name)}'`);
      rows[name] = Number(row?.count);
    }
    expect(Object.entries(rows).filter(([, count]) => !(count > 0))).toEqual([]);
    expect(rows['instances.csv']).toBe(instances.length);
    expect(rows['changes.parquet']).toBe(rows['changes.csv']);
    expect(rows['changes.parquet']).toBe(rows['changes.ndjson']);
  });

  test('reads the columns of stats.csv with their types, and the values of stats.json', async () => {
    const file = `'${join(dir, 'stats.csv')}'`;
    const types = await queryDuckDb(`select column_type from (describe select * from ${file})`);
    expect(types.map(({ column_type }) => column_type)).toEqual([
      ...['DATE', 'VARCHAR', 'VARCHAR', 'BIGINT', 'BIGINT', 'BIGINT'],
    ]);
    const { points } = JSON.parse(readFileSync(join(dir, 'stats.json'), 'utf8')) as StatsFile;
    const [last] = points.slice(-1);
    expect(
      await queryDuckDb(
        `select key, value from ${file} where measure = 'version' and date = '${last?.day}' and key <> ''`,
      ),
    ).toEqual(
      (last?.versions.commonest ?? [])
        .map(({ name, instances }) => ({ key: name, value: String(instances) }))
        .sort((one, other) => (one.key < other.key ? -1 : 1)),
    );
  });

  test('answers the queries of README.md and docs/data.md with the values of the files', async () => {
    const documents = ['README.md', 'docs/data.md'].map((name) => readFileSync(join(repository, name), 'utf8'));
    const queries = [...documents.join('').matchAll(/```sql\n(select .*?)```/gs)].map(([, sql = '']) =>
      sql.replaceAll('data/export', dir),
    );
    expect(queries).toHaveLength(5);
    const [counts = [], versions = [], [registration] = [], [uptime] = [], days = []] = await Promise.all(
      queries.map(queryDuckDb),
    );

    const newest = instances.filter(({ version }) => version === counts[0]?.version);
    expect(counts[0]?.instances).toBe(String(newest.length));
    const byVersion = Map.groupBy(versions, ({ version }) => version);
    for (const { version } of instances.filter(({ status }) => status === 'up')) {
      expect(byVersion.has(version), String(version)).toBe(true);
    }
    const open = instances.filter(({ registration: { open } }) => open === true).length;
    const reporting = instances.filter(({ registration: { open } }) => open !== null).length;
    expect(registration?.reporting).toBe(String(reporting));
    expect(registration?.openShare).toBeCloseTo(open / reporting, 10);
    expect(uptime).toEqual({ medianUptime: 1 });
    const { generatedAt } = JSON.parse(readFileSync(join(dir, 'instances.json'), 'utf8')) as InstancesFile;
    expect(new Set(days.map(({ date }) => date))).toEqual(new Set([generatedAt.slice(0, 10)]));
    expect(days.reduce((sum, day) => sum + Number(day.instances), 0)).toBe(instances.length);
  });

  test('answers the query of the Node.js example of docs/data.md', async () => {
    const [, example = ''] = [
      ...readFileSync(join(repository, 'docs/data.md'), 'utf8').matchAll(/```js\n(.*?)```/gs),
    ].map(([, code = '']) => code);
    const program = example.replace('data/export', dir);
    const { code, stdout, stderr } = await run(process.execPath, ['--input-type=module', '--eval', program]);
    expect(code, stderr).toBe(0);
    const rows = stdout
      .trimEnd()
      .split('\n')
      .map((line) => line.split(' '));
    const [{ visits } = {}] = await queryDuckDb(`select count(*)::varchar as visits from '${dir}/visits/*.parquet'`);
    expect(rows.reduce((sum, [, count]) => sum + Number(count), 0)).toBe(Number(visits));
    expect(rows.reduce((sum, [, , loops]) => sum + Number(loops), 0)).toBeGreaterThanOrEqual(instances.length - 1);
    for (const [day] of rows) expect(day).toMatch(/^\d{4}-\d\d-\d\d$/);
  });
});
