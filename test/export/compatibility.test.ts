import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { SCHEMA_VERSION } from '../../src/directory/schema/fields.ts';
import { jsonSchemaText } from '../../src/directory/schema/json-schema-text.ts';
import { publishedSchemas } from '../../src/export/schema/published-schemas.ts';
import { fieldsOfSchema } from './fields-of-schema.ts';

/** The published fields and vocabulary words of this version, one a line. `--update` adds lines; none is changed. */
const file = join(import.meta.dirname, `published-schemas/v${SCHEMA_VERSION}.txt`);
const published = readFileSync(file, 'utf8')
  .split('\n')
  .filter((line) => line !== '');
const current = publishedSchemas.flatMap(({ name, shape }) =>
  fieldsOfSchema(JSON.parse(jsonSchemaText(name, shape))).map((line) => `${name} ${line}`),
);

describe('a published schema', () => {
  test('keeps every field, type and vocabulary word until SCHEMA_VERSION is raised', () => {
    expect(published.filter((line) => !current.includes(line))).toEqual([]);
  });

  test('has no field or word that is missing from published-schemas', async () => {
    const added = current.filter((line) => !published.includes(line));
    await expect([...published, ...added, ''].join('\n')).toMatchFileSnapshot(file);
  });

  test('that loses a field or a word, or changes a type, is detected', () => {
    const schema = JSON.parse(
      jsonSchemaText('domains', publishedSchemas.find(({ name }) => name === 'domains')?.shape ?? expect.fail()),
    );
    const linesLostBy = (change: (copy: typeof schema) => void) => {
      const changed = structuredClone(schema);
      change(changed);
      const remaining = fieldsOfSchema(changed).map((line) => `domains ${line}`);
      return published.filter((line) => line.startsWith('domains ') && !remaining.includes(line));
    };
    expect(linesLostBy((copy) => delete copy.properties.via)).toContain('domains via null|string');
    expect(linesLostBy((copy) => Object.assign(copy.properties.software, { anyOf: [{ type: 'string' }] }))).toEqual([
      'domains software null|string',
    ]);
    expect(linesLostBy((copy) => copy.properties.state.anyOf[0].enum.pop())).toEqual(['domains state = gone']);
    expect(linesLostBy((copy) => copy.required.shift())).toEqual(['domains domain string']);
  });
});
