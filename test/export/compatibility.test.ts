import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { publishedSchemas } from '../../src/export/schema/published-schemas.ts';
import { SCHEMA_VERSION } from '../../src/views/schema/fields.ts';
import { jsonSchemaText } from '../../src/views/schema/json-schema-text.ts';
import { fieldsOfSchema } from './fields-of-schema.ts';

/** What this version has promised: one line for each field and word, added by hand when one is added, and never changed. */
const promised = readFileSync(join(import.meta.dirname, `published-schemas/v${SCHEMA_VERSION}.txt`), 'utf8')
  .split('\n')
  .filter((line) => line !== '');
const now = publishedSchemas.flatMap(({ name, shape }) =>
  fieldsOfSchema(JSON.parse(jsonSchemaText(name, shape))).map((line) => `${name} ${line}`),
);

describe('what is published', () => {
  test('keeps every field and its type, and every word, until SCHEMA_VERSION is raised', () => {
    expect(promised.filter((line) => !now.includes(line))).toEqual([]);
  });

  test('is promised from the first day: what was added belongs into published-schemas', () => {
    expect(now.filter((line) => !promised.includes(line))).toEqual([]);
  });

  test('is found out when it loses a field, changes a type, or loses a word', () => {
    const schema = JSON.parse(jsonSchemaText('domains', publishedSchemas[3]?.shape ?? expect.fail()));
    const lost = (spoil: (of: typeof schema) => void) => {
      const spoiled = structuredClone(schema);
      spoil(spoiled);
      const left = fieldsOfSchema(spoiled).map((line) => `domains ${line}`);
      return promised.filter((line) => line.startsWith('domains ') && !left.includes(line));
    };
    expect(lost((of) => delete of.properties.via)).toContain('domains via null|string');
    expect(lost((of) => Object.assign(of.properties.software, { anyOf: [{ type: 'string' }] }))).toEqual([
      'domains software null|string',
    ]);
    expect(lost((of) => of.properties.state.anyOf[0].enum.pop())).toEqual(['domains state = gone']);
    expect(lost((of) => of.required.shift())).toEqual(['domains domain string']);
  });
});
