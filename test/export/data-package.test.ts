import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { DataField, DataPackage } from '../../src/directory/schema/data-package.ts';
import { exportAll } from '../../src/export/export-all.ts';
import { HistoryIndex } from '../../src/export/schema/history.ts';
import { storedDomain } from '../../src/model/domain/domain.ts';
import { createOptOutSet } from '../../src/model/opt-outs/opt-out-names.ts';
import { DAY_MS } from '../../src/model/time.ts';
import type { StoreReader } from '../../src/store/store-reader.ts';
import { dataPackageRules } from './data-package-rules.ts';
import { queryDuckDb } from './duckdb.ts';
import { filesIn, manifestFaults, readManifest } from './export-folder.ts';
import { generatedSource } from './generated-source.ts';
import { instanceRecordOf, unknownFacts } from './record-of.ts';
import { START, sourceOf } from './row-of.ts';

const publication = {
  ...{ publisher: 'Clips near you', contact: 'https://clips.example/bot', licence: 'CC0-1.0' },
  ...{ doi: '10.5281/zenodo.1234567', url: 'https://clips.example' },
};
const full = generatedSource(30, 20, 1);
const unknown = instanceRecordOf('unknown.example.org', { facts: unknownFacts });
const source = sourceOf({ instances: { listed: (at) => [...full.instances.listed(at), unknown] } }, full);

let dir: string;
let dataPackage: DataPackage;
const exportTo = (rowSource: StoreReader, more: object = {}) =>
  exportAll({ source: rowSource, dir, now: () => START + DAY_MS, toolVersion: '1.0.0', publication, ...more });
const readPackage = (): DataPackage => JSON.parse(readFileSync(join(dir, 'datapackage.json'), 'utf8'));

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'loopscout-package-'));
  await exportTo(source);
  dataPackage = readPackage();
});
afterAll(() => rmSync(dir, { recursive: true }));

describe('datapackage.json', () => {
  const validate = new Ajv2020({ allErrors: true }).compile(dataPackageRules);

  test('follows the Data Package standard, with and without a licence, a DOI and rows', async () => {
    for (const [rows, more] of [
      [source, {}],
      [source, { publication: undefined }],
      [source, { publication: { ...publication, licence: 'https://clips.example/terms', url: null } }],
    ] as const) {
      await exportTo(rows, more);
      validate(readPackage());
      expect(validate.errors ?? []).toEqual([]);
    }
    await exportTo(source);
    const damaged = readPackage();
    Object.assign(damaged.resources[0] ?? {}, { path: '../instances.json' });
    expect(validate(damaged)).toBe(false);
  });

  test('has every file of the manifest but schemas and compressed copies, as it is on the disk, with its rows', async () => {
    const { files } = await readManifest(dir);
    const onDisk = await filesIn(dir);
    const names = files.map(({ name }) => name);
    const expected = names.filter(
      (name) =>
        !name.startsWith('schema/') &&
        name !== 'datapackage.json' &&
        !(name.endsWith('.gz') && names.includes(name.slice(0, -3))),
    );
    expect(dataPackage.resources.map(({ path }) => path)).toEqual(expected);
    for (const { path, bytes, hash, rows, format, description, jsonSchema } of dataPackage.resources) {
      expect([bytes, hash], path).toEqual([onDisk[path]?.bytes, `sha256:${onDisk[path]?.sha256}`]);
      expect(description, path).toMatch(/\.$/);
      if (jsonSchema !== undefined) expect(names, path).toContain(jsonSchema);
      if (!['csv', 'ndjson', 'parquet'].includes(format)) continue;
      const [counted] = await queryDuckDb(`select count(*)::int as rows from '${join(dir, path)}'`);
      expect([path, rows]).toEqual([path, counted?.rows]);
      expect(rows, path).toBeGreaterThan(0);
    }
    const rowsOf = (path: string) => dataPackage.resources.find((one) => one.path === path)?.rows;
    expect([rowsOf('instances.json'), rowsOf('instances.min.json'), rowsOf('domains.txt')]).toEqual([21, 21, 21]);
  });

  test('describes the columns of every CSV and NDJSON table as they are, in order, with types that all values have', () => {
    const tables = dataPackage.resources.filter(({ format }) => format === 'csv' || format === 'ndjson');
    expect(tables.length).toBeGreaterThan(5);
    for (const { path, format, schema: { fields } = { fields: [] } } of tables) {
      const bytes = readFileSync(join(dir, path));
      const text = (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString();
      const rows: Record<string, unknown>[] =
        format === 'csv'
          ? parse(text, { columns: true })
          : text
              .trimEnd()
              .split('\n')
              .map((line) => JSON.parse(line));
      for (const row of rows) {
        expect(Object.keys(row), path).toEqual(fields.map(({ name }) => name));
        for (const field of fields) {
          const value = row[field.name];
          expect([path, field.name, value, isValid(value, field, format)]).toEqual([path, field.name, value, true]);
        }
      }
    }
    const types = new Set(tables.flatMap(({ schema }) => schema?.fields.map(({ type }) => type)));
    expect([...types]).toEqual(
      expect.arrayContaining(['any', 'boolean', 'date', 'datetime', 'integer', 'number', 'string']),
    );
  });

  test('is not rewritten when only the time has changed', async () => {
    const before = (await filesIn(dir))['datapackage.json'];
    await exportTo(source, { now: () => START + DAY_MS + 1 });
    expect((await filesIn(dir))['datapackage.json']).toEqual(before);
  });
});

test('the licence and the DOI of the settings stand in the manifest, the data package and the citation, and are absent without', async () => {
  const shown = async () => {
    const { licence, doi } = await readManifest(dir);
    const { licenses, id, contributors, homepage } = readPackage();
    const citation = readFileSync(join(dir, 'CITATION.cff'), 'utf8');
    return {
      licence,
      doi,
      licenses,
      id,
      homepage,
      by: contributors[0]?.title,
      cited: /^(?:doi|license): .*$/gm.exec(citation),
    };
  };
  expect(await shown()).toMatchObject({
    ...{ licence: 'CC0-1.0', doi: publication.doi, licenses: [{ name: 'CC0-1.0' }], by: 'Clips near you' },
    ...{ id: `https://doi.org/${publication.doi}`, homepage: 'https://clips.example' },
  });
  await exportTo(source, { publication: undefined });
  const none = undefined;
  expect(await shown()).toEqual({
    ...{ licence: none, doi: none, licenses: none, id: none, homepage: none, by: 'Loopscout', cited: null },
  });
});

test('after a purge no file names the host, and the data package, manifest and index of dated files agree with the disk', async () => {
  const gone = 'i00000003.example.org';
  const naming = () =>
    (readdirSync(dir, { recursive: true }) as string[])
      .filter((name) => name.includes('.'))
      .filter((name) => {
        const bytes = readFileSync(join(dir, name));
        return (name.endsWith('.gz') ? gunzipSync(bytes) : bytes).includes(gone);
      });
  expect(naming()).toContain('history/2026-01-02.json.gz');
  const isGone = (row: { domain: string }) => row.domain === gone;
  const without = <Row extends { domain: string }>(rows: Iterable<Row>) =>
    Iterator.from(rows).filter((row) => !isGone(row));
  await exportTo(
    sourceOf(
      {
        domains: { all: () => without(source.domains.all()) },
        instances: {
          listed: (at) => without(source.instances.listed(at)),
          *histories() {
            for (const history of source.instances.histories()) if (!isGone(history.record)) yield history;
          },
        },
        changes: { published: () => without(source.changes.published()) },
        visits: { ofMonth: (month) => without(source.visits.ofMonth(month)) },
        usage: { ofMonth: (month) => without(source.usage.ofMonth(month)) },
        optOuts: {
          has: createOptOutSet(new Set([storedDomain(gone)])).has,
          isHidden: (domain) => domain === gone,
          hasRequestSince: () => true,
        },
      },
      source,
    ),
  );
  expect(naming()).toEqual([]);
  expect(await manifestFaults(dir)).toEqual([]);
  const files = await filesIn(dir);
  for (const { path, bytes, hash } of readPackage().resources)
    expect([path, bytes, hash]).toEqual([path, files[path]?.bytes, `sha256:${files[path]?.sha256}`]);
  const [dated] = HistoryIndex.parse(JSON.parse(readFileSync(join(dir, 'history/index.json'), 'utf8'))).files;
  expect([dated?.instances, dated?.replaced.length]).toEqual([20, 1]);
});

const FORMS: Readonly<Record<DataField['type'], RegExp>> = {
  string: /^/,
  date: /^\d{4}-\d\d-\d\d$/,
  datetime: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/,
  integer: /^\d+$/,
  number: /^\d+(?:\.\d+)?$/,
  boolean: /^(?:true|false)$/,
  array: /^/,
  any: /^/,
};

function isValid(value: unknown, { type, constraints }: DataField, format: string): boolean {
  if (value === null || value === '') return constraints?.required !== true;
  if (format === 'ndjson') {
    if (type === 'array' || type === 'any') return type === 'any' || Array.isArray(value);
    if (['integer', 'number', 'boolean'].includes(type)) return typeof value === (type === 'boolean' ? type : 'number');
  }
  return FORMS[type].test(String(value));
}
