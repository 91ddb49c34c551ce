import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { columnsOf } from '../../src/export/tables/column.ts';
import { csvText } from '../../src/export/tables/csv-text.ts';
import { joinItems, splitItems } from '../../src/export/tables/list-cell.ts';
import { rowsOfCsv } from '../../src/export/tables/rows-of-csv.ts';
import { ANY_CHARACTER } from '../any-character.ts';
import { newFolder } from './export-folder.ts';

const columns = columnsOf(z.object({ items: z.array(z.string()).nullable(), text: z.string().nullable() }));

const hostile = fc.constantFrom(
  '',
  ' ',
  ';',
  '; ',
  'a; b',
  '"',
  '""',
  '\\',
  "'x",
  '=1+1',
  '\r\n',
  '\t',
  '\u2028',
  'mp4',
);
const item = fc.oneof(
  hostile,
  fc.string({ unit: ANY_CHARACTER }),
  fc.string({ unit: fc.constantFrom(';', ' ', '"', '\\', "'", 'a') }),
);
const list = fc.option(fc.array(item, { maxLength: 4 }));

describe('a list in a CSV cell', () => {
  test('is its items, joined by a semicolon and a space', () => {
    const rows = [['mp4', 'webm'], ['a;b', '', 'say "hi"'], ['=1', '=2'], [''], [], null].map((items) => ({
      items,
      text: '',
    }));
    expect(csvText(columns, rows).split('\r\n')).toEqual([
      'items,text',
      'mp4; webm,""',
      String.raw`"""a;b""; """"; ""say \""hi\""""",""`,
      `'=1; =2,""`,
      '"""""",""',
      '"",""',
      ',""',
      '',
    ]);
  });

  test('is read back exactly: any items, no items, or unknown', async () => {
    const path = join(await newFolder(), 'lists.csv.gz');
    await fc.assert(
      fc.asyncProperty(fc.array(fc.record({ items: list, text: fc.option(item) }), { minLength: 1 }), async (rows) => {
        await writeFile(path, gzipSync(csvText(columns, rows)));
        const read = [];
        for await (const row of rowsOfCsv(columns, path)) read.push(row);
        expect(read).toEqual(rows.map(({ items, text }) => ({ items, text: text?.toWellFormed() ?? null })));
      }),
    );
  });

  test('can be split at its separators when no item is a JSON string', () => {
    const plain = fc.string({ minLength: 1, unit: 'grapheme' }).filter((text) => !/[;"\\\p{Cc}]/u.test(text));
    fc.assert(
      fc.property(fc.array(plain, { minLength: 1 }), (items) => {
        expect(joinItems(items).split('; ')).toEqual(items);
      }),
    );
  });

  test.each(['["a"]', 'a;b', 'a; ', '"a', '"plain"', '; a'])('is refused if malformed: %s', (text) => {
    expect(() => splitItems(text)).toThrow(SyntaxError);
  });
});
