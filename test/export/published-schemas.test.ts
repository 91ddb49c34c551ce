import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { beforeEach, describe, expect, test } from 'vitest';
import { exportAll } from '../../src/export/export-all.ts';
import type { ExportSource } from '../../src/export/export-source.ts';
import { newFolder } from './export-folder.ts';
import { domainRecordOf, instanceRecordOf, unknownFacts } from './record-of.ts';

const source: ExportSource = {
  domains: () => [
    domainRecordOf('a.example.org'),
    domainRecordOf('b.example.org', {
      ...{ state: 'new', verdict: null, reason: null, via: null, software: null, version: null },
      ...{ lastVisit: null, lastSeen: null, nextVisit: null },
    }),
  ],
  instances: () => [instanceRecordOf('a.example.org'), instanceRecordOf('b.example.org', { facts: unknownFacts })],
};

let dir: string;
beforeEach(async () => {
  dir = await newFolder();
  await exportAll({ source, dir, now: () => Date.UTC(2026, 1, 3), toolVersion: '1.2.3' });
});

const json = async (name: string) => JSON.parse(await readFile(join(dir, name), 'utf8'));
const dateTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/;

async function validatorOf(name: string) {
  const ajv = new Ajv2020({ allErrors: true, strict: true, formats: { 'date-time': dateTime } });
  return ajv.compile(await json(`schema/${name}.json`));
}

describe('the published JSON Schemas', () => {
  test.each(['instances', 'manifest'])('accept %s.json as it is written', async (name) => {
    const validate = await validatorOf(name);
    validate(await json(`${name}.json`));
    expect(validate.errors ?? []).toEqual([]);
  });

  test('accept every line of domains.ndjson', async () => {
    const validate = await validatorOf('domains');
    const lines = (await readFile(join(dir, 'domains.ndjson'), 'utf8')).trimEnd().split('\n');
    expect(lines.flatMap((line) => (validate(JSON.parse(line)) ? [] : (validate.errors ?? [])))).toEqual([]);
    expect(lines).toHaveLength(2);
  });

  test('refuse a missing field, a zero for unknown in the wrong place, and a word outside a vocabulary', async () => {
    const validate = await validatorOf('instances');
    for (const spoil of [
      (entry: Record<string, unknown>) => delete entry.uptime,
      (entry: Record<string, unknown>) => Object.assign(entry, { federation: 0 }),
      (entry: Record<string, unknown>) => Object.assign(entry, { status: 'unknown' }),
      (entry: Record<string, unknown>) => Object.assign(entry, { checkedAt: 'yesterday' }),
    ]) {
      const file = await json('instances.json');
      spoil(file.instances[0]);
      expect(validate(file)).toBe(false);
    }
  });

  test('accept a field that a later version adds', async () => {
    const validate = await validatorOf('instances');
    const file = await json('instances.json');
    Object.assign(file.instances[0], { later: true });
    expect(validate(file)).toBe(true);
  });

  test.each(['instances', 'domains', 'manifest'])('describe every property of %s', async (name) => {
    const schema = await json(`schema/${name}.json`);
    expect(schema).toMatchObject({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      title: expect.any(String),
    });
    expect(undescribed(schema, name)).toEqual([]);
  });
});

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
