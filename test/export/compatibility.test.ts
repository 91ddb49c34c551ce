import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { publishedSchemas } from '../../src/export/schema/published-schemas.ts';
import { SCHEMA_VERSION } from '../../src/views/schema/fields.ts';
import { jsonSchemaText } from '../../src/views/schema/json-schema-text.ts';
import { fieldsOfSchema } from './fields-of-schema.ts';

/** The published fields and vocabulary words of this version, one a line. Lines are added by hand and never changed. */
const published = readFileSync(join(import.meta.dirname, `published-schemas/v${SCHEMA_VERSION}.txt`), 'utf8')
  .split('\n')
  .filter((line) => line !== '');
const current = publishedSchemas.flatMap(({ name, shape }) =>
  fieldsOfSchema(JSON.parse(jsonSchemaText(name, shape))).map((line) => `${name} ${line}`),
);

describe('a published schema', () => {
  test('keeps every field, type and vocabulary word until SCHEMA_VERSION is raised', () => {
    expect(published.filter((line) => !current.includes(line))).toEqual([]);
  });

  test('has no field or word that is missing from published-schemas', () => {
    expect(current.filter((line) => !published.includes(line))).toEqual([]);
  });

  test('that loses a field or a word, or changes a type, is detected', () => {
    const schema = JSON.parse(jsonSchemaText('domains', publishedSchemas[3]?.shape ?? expect.fail()));
    const linesLostBy = (change: (of: typeof schema) => void) => {
      const changed = structuredClone(schema);
      change(changed);
      const left = fieldsOfSchema(changed).map((line) => `domains ${line}`);
      return published.filter((line) => line.startsWith('domains ') && !left.includes(line));
    };
    expect(linesLostBy((of) => delete of.properties.via)).toContain('domains via null|string');
    expect(linesLostBy((of) => Object.assign(of.properties.software, { anyOf: [{ type: 'string' }] }))).toEqual([
      'domains software null|string',
    ]);
    expect(linesLostBy((of) => of.properties.state.anyOf[0].enum.pop())).toEqual(['domains state = gone']);
    expect(linesLostBy((of) => of.required.shift())).toEqual(['domains domain string']);
  });
});
