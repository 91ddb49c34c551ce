import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  Account,
  AppRecord,
  NodeInfo,
  NodeInfoDiscovery,
  ServerConfig,
  TokenRecord,
  Video,
} from '../../src/reference/resources.ts';
import { specification } from './specification-list.ts';
import { testTitles } from './test-titles.ts';

const testFolder = join(import.meta.dirname, '..');
const page = readFileSync(join(testFolder, '../docs/reference-specification.md'), 'utf8');

interface Row {
  section: string;
  name: string;
  file: string;
  title: string;
}

const [, table = ''] = page.split('## The specification and its tests');
const rows: Row[] = table.split('\n').flatMap((line) => {
  const cells = line.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll('\\|', '|'));
  const [, section = '', name = '', file = '', title = ''] = cells;
  return /^\d/.test(section) ? [{ section, name: withoutBackticks(name), file: withoutBackticks(file), title }] : [];
});

function withoutBackticks(cell: string): string {
  return cell.replace(/^`(.*)`$/, '$1');
}

describe('the table of the specification in docs/', () => {
  it('has one row for every field and rule of sections 2, 4, 5, 8 and 9, and no other', () => {
    const wanted = specification.flatMap(([section, names]) => names.map((name) => `${section} ${name}`));
    expect(rows.map(({ section, name }) => `${section} ${name}`)).toEqual(wanted);
    expect(new Set(wanted).size).toBe(wanted.length);
  });

  it('names existing tests', () => {
    const titles = new Map<string, string[]>();
    const missing = rows.filter(({ file, title }) => {
      const path = join(testFolder, file);
      if (!titles.has(file)) titles.set(file, existsSync(path) ? testTitles(path, readFileSync(path, 'utf8')) : []);
      return titles.get(file)?.includes(title) !== true;
    });
    expect(missing).toEqual([]);
  });
});

/** The resources of section 2 with the fields of the specification. */
const resources: [section: string, schema: z.ZodType][] = [
  ['2.1', AppRecord],
  ['2.2', TokenRecord],
  ['2.3', Account],
  ['2.4', Video],
  ['2.5', ServerConfig],
  ['2.6', NodeInfoDiscovery],
  ['2.7', NodeInfo],
];
/** Additions of live servers, and list elements that the specification does not show. */
const additionalFields = [
  'usage.users.activeMonth',
  'usage.users.activeHalfyear',
  'mentions[].id',
  'mentions[].username',
  'mentions[].url',
];

/** The paths of all leaf fields and lists in a schema. */
function fieldsOf(schema: z.core.$ZodType, path = ''): string[] {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) return fieldsOf(schema.unwrap(), path);
  if (schema instanceof z.ZodObject) {
    const shape: Record<string, z.core.$ZodType> = schema.shape;
    return Object.entries(shape).flatMap(([name, field]) => fieldsOf(field, path === '' ? name : `${path}.${name}`));
  }
  if (!(schema instanceof z.ZodArray)) return [path];
  return schema.element instanceof z.ZodObject ? [path, ...fieldsOf(schema.element, `${path}[]`)] : [path];
}

describe('the schemas of the resources', () => {
  it.each(resources)('have the fields of section %s, and otherwise only the known additions', (section, schema) => {
    const [, names = []] = specification.find(([name]) => name === section) ?? [];
    const fields = fieldsOf(schema);
    expect(fields.filter((field) => !additionalFields.includes(field)).sort()).toEqual(
      // Names with spaces are rules, not fields.
      names.filter((name) => !name.includes(' ')).sort(),
    );
  });
});

describe('testTitles', () => {
  it('reads plain titles, and one title for each row of an inline or named table', () => {
    const source = `
      const names = ['a', 'b'] as const;
      const rows: [string, number, () => void][] = [['c', 1, () => {}], ['d', 2, f]];
      it('plain', () => {});
      test("other", () => {});
      it.each(names)('has %s', () => {});
      it.each(rows)('%s is %i', () => {});
      it.each([{ a: 1 }])('row %s', () => {});
      describe('not this one', () => {});
      it(\`put \${together}\`, () => {});
    `;
    expect(testTitles('source.ts', source)).toEqual(['plain', 'other', 'has a', 'has b', 'c is 1', 'd is 2', 'row %s']);
  });
});
