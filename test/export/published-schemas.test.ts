import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { beforeAll, describe, expect, test } from 'vitest';
import { SCHEMA_VERSION, schemaPath } from '../../src/directory/schema/fields.ts';
import { exportAll } from '../../src/export/export-all.ts';
import type { ManifestFile } from '../../src/export/schema/manifest.ts';
import { publishedSchemas } from '../../src/export/schema/published-schemas.ts';
import { columnsOf } from '../../src/export/tables/column.ts';
import { rowsOfCsv } from '../../src/export/tables/rows-of-csv.ts';
import { storedDomain } from '../../src/model/domain/domain.ts';
import { createAbout } from '../../src/service/about.ts';
import { loadSettings } from '../../src/settings/settings.ts';
import type { StoreReader } from '../../src/store/store-reader.ts';
import { closeVocabularies } from './closed-words.ts';
import { newFolder } from './export-folder.ts';
import { domainRecordOf, historyOf, instanceRecordOf, unknownFacts } from './record-of.ts';
import { changeOf, sourceOf, usageOf, visitOf } from './row-of.ts';

const source: StoreReader = sourceOf({
  domains: {
    all: () => [
      domainRecordOf('a.example.org'),
      domainRecordOf('b.example.org', {
        ...{ state: 'new', verdict: null, reason: null, via: null, software: null, version: null },
        ...{ lastVisit: null, lastSeen: null, nextVisit: null },
      }),
    ],
  },
  instances: {
    listed: () => [instanceRecordOf('a.example.org'), instanceRecordOf('b.example.org', { facts: unknownFacts })],
    histories: () => [historyOf({ record: instanceRecordOf('a.example.org'), usage: [usageOf('a.example.org')] })],
  },
  changes: {
    published: () => [
      changeOf('a.example.org', { from: null, to: ['a', 'b'] }),
      changeOf('a.example.org', { from: 1, to: true }),
      changeOf('a.example.org', { from: 'a', to: null, cause: 'added' }),
    ],
  },
  sources: {
    ofInstances: () => [
      { domain: storedDomain('a.example.org'), sources: ['file-1', 'page-2'] },
      { domain: storedDomain('b.example.org'), sources: ['file-1'] },
      { domain: storedDomain('c.example.org'), sources: [] },
    ],
    all: () => [
      {
        ...{
          id: 1,
          key: 'fedidb',
          type: 'fedidb',
          label: '',
          name: 'fedidb',
          isActive: true,
          firstAt: 1,
          notBefore: null,
        },
        ...{ lastRun: null, lastSuccess: null, lastComplete: null, etag: null, lastModified: null },
      },
    ],
  },
  visits: {
    months: () => ['2026-01'],
    ofMonth: () => [
      visitOf('a.example.org'),
      visitOf('b.example.org', { via: null, software: null, version: null, state: null, flags: null }),
    ],
    gaps: () => [{ startedAt: 1, endedAt: 2 }],
  },
  usage: { months: () => ['2026-01'], ofMonth: () => [usageOf('a.example.org', { users: null })] },
});

const about = createAbout(() => loadSettings({ file: null, env: {} }))();
let dir: string;
beforeAll(async () => {
  dir = await newFolder();
  await exportAll({ source, dir, now: () => Date.UTC(2026, 1, 3), toolVersion: '1.2.3', about });
});

const json = async (name: string) => JSON.parse(await readFile(join(dir, name), 'utf8'));
const dateTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/;

/** @param prepare changes the schema before it is compiled. */
async function validatorOf(name: string, prepare = (schema: object) => schema) {
  const ajv = new Ajv2020({ allErrors: true, strict: true, formats: { 'date-time': dateTime } });
  return ajv.compile(prepare(await json(`schema/${name}.json`)));
}

describe('the published JSON Schemas', () => {
  test('accept every file that the manifest assigns to them, even if they allow no words of later versions', async () => {
    const manifest = await json('manifest.json');
    const described: [string, string][] = manifest.files.map(({ name, schema }: ManifestFile) => [name, schema]);
    described.push(['manifest.json', 'schema/manifest.json']);
    let documents = 0;
    const validators = new Map<string, Awaited<ReturnType<typeof validatorOf>>>();
    for (const [name, schema] of described) {
      if (schema === null || name.endsWith('.parquet')) continue;
      const schemaName = schema.slice('schema/'.length, -'.json'.length);
      const validate = validators.get(schemaName) ?? (await validatorOf(schemaName, closeVocabularies));
      validators.set(schemaName, validate);
      for (const document of await documentsOf(name, schema)) {
        validate(document);
        expect(validate.errors ?? [], name).toEqual([]);
        documents += 1;
      }
    }
    expect(documents).toBeGreaterThan(15);
  });

  test('are valid, and have an id with their version', async () => {
    const ajv = new Ajv2020({ strict: true, formats: { 'date-time': dateTime } });
    for (const { name } of publishedSchemas) {
      const schema = await json(`schema/${name}.json`);
      expect(ajv.validateSchema(schema)).toBe(true);
      expect(schema.$id).toBe(`urn:loopscout:schema:${name}:${SCHEMA_VERSION}`);
    }
  });

  test('refuse a missing field, a value of the wrong type, null in place of a word and an invalid time', async () => {
    const validate = await validatorOf('instances');
    for (const damage of [
      (entry: Record<string, unknown>) => delete entry.uptime,
      (entry: Record<string, unknown>) => Object.assign(entry, { federation: 0 }),
      (entry: Record<string, unknown>) => Object.assign(entry, { status: null }),
      (entry: Record<string, unknown>) => Object.assign(entry, { checkedAt: 'yesterday' }),
    ]) {
      const file = await json('instances.json');
      damage(file.instances[0]);
      expect(validate(file)).toBe(false);
    }
  });

  test('accept a field that a later version adds', async () => {
    const validate = await validatorOf('instances');
    const file = await json('instances.json');
    Object.assign(file.instances[0], { later: true });
    expect(validate(file)).toBe(true);
  });

  test('accept a word that a later version adds to any vocabulary, and list the current ones', async () => {
    let vocabularies = 0;
    for (const { name } of publishedSchemas) {
      const schema = await json(`schema/${name}.json`);
      expect(JSON.stringify(closeVocabularies(schema)).match(/"enum"/g)?.length).toBe(
        JSON.stringify(schema).match(/A word of a later version/g)?.length,
      );
      vocabularies += JSON.stringify(schema).match(/"enum"/g)?.length ?? 0;
    }
    expect(vocabularies).toBeGreaterThan(10);

    const later = 'seen-by-moonlight';
    const instances = await json('instances.json');
    Object.assign(instances.instances[0], { status: later, via: later, flags: [later] });
    const [domain = '', change = ''] = await Promise.all(
      ['domains.ndjson', 'changes.ndjson'].map(
        async (file) => (await readFile(join(dir, file), 'utf8')).split('\n')[0],
      ),
    );
    for (const [name, document] of [
      ['instances', instances],
      ['domains', { ...JSON.parse(domain), verdict: later, reason: later, state: later, via: later }],
      ['changes', { ...JSON.parse(change), field: later, cause: later }],
    ] as const) {
      expect((await validatorOf(name))(document), name).toBe(true);
      expect((await validatorOf(name, closeVocabularies))(document), name).toBe(false);
    }
  });

  test.each(publishedSchemas.map(({ name }) => name))('describe every property of %s', async (name) => {
    const schema = await json(`schema/${name}.json`);
    expect(schema).toMatchObject({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      title: expect.any(String),
    });
    expect(undescribed(schema, name)).toEqual([]);
  });
});

/** The JSON documents of a file: the file itself, its lines or its rows. */
async function documentsOf(name: string, schema: string): Promise<unknown[]> {
  const bytes = await readFile(join(dir, name));
  if (/\.csv(\.gz)?$/.test(name)) {
    // `rowsOfCsv` reads compressed files only.
    const path = join(dir, `${name.replaceAll('/', '-')}.copy`);
    await writeFile(path, name.endsWith('.gz') ? bytes : gzipSync(bytes));
    const shape = publishedSchemas.find((published) => schemaPath(published.name) === schema)?.shape ?? expect.fail();
    const columns = columnsOf(shape).map((column) => ({ ...column, path: [column.name] }));
    const rows: unknown[] = [];
    for await (const row of rowsOfCsv(columns, path)) rows.push(row);
    return rows;
  }
  const text = (name.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8');
  if (!/\.ndjson(\.gz)?$/.test(name)) return [JSON.parse(text)];
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
}

/** The paths of the properties that have no description. */
function undescribed(schema: unknown, path: string): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const faults: string[] = [];
  for (const [key, value] of Object.entries(schema)) {
    if (key !== 'properties') {
      faults.push(...undescribed(value, path));
      continue;
    }
    for (const [name, property] of Object.entries<{ description?: string }>(value)) {
      if (!property.description) faults.push(`${path}.${name}`);
      faults.push(...undescribed(property, `${path}.${name}`));
    }
  }
  return faults;
}
