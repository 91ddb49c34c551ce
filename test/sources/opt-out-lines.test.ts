import { expect, it } from 'vitest';
import { type OptOutLine, optOutLines } from '../../src/sources/opt-out-lines.ts';
import { type Line, MAX_LINE_LENGTH } from '../../src/sources/regular-file.ts';

async function read(text: string) {
  async function* lines(): AsyncGenerator<Line> {
    for (const [index, line] of text.split('\n').entries()) yield { number: index + 1, text: line };
  }
  const read: OptOutLine[] = [];
  for await (const line of optOutLines(lines(), { allowSuffixes: ['example'] })) read.push(line);
  return read;
}

it.each([
  ['a wildcard', '*.x.example', ['x.example']],
  ['a comma behind', 'x.example,', ['x.example']],
  ['a list mark', '- x.example', ['x.example']],
  ['a semicolon and more', 'x.example ; y', ['x.example']],
  ['a tab and more', 'x.example\tx', ['x.example']],
  ['two of them', 'x.example y.example', ['x.example', 'y.example']],
  ['a record of CSV', '"x.example","2026-01-01","by mail"', ['x.example']],
  ['an entry of JSON', '  "x.example",', ['x.example']],
  ['a port of another protocol', 'x.example:22', ['x.example']],
  ['a port of its own', '- x.example:8443', ['x.example:8443']],
  ['another scheme', 'mailto:admin@x.example', ['x.example']],
  ['other writing', '* bücher.example', ['xn--bcher-kva.example']],
  ['words around', 'please leave out x.example (and www.x.example)!', ['x.example', 'www.x.example']],
  ['a dot in front', '.x.example', ['x.example']],
])('takes what a line names that has %s', async (_what, text, domains) => {
  expect(await read(text)).toEqual([{ line: 1, domains, isPlain: false, refused: null }]);
});

it('takes one plain domain or URL for what it is, and passes over comments', async () => {
  expect(await read('# asked by mail\n\nx.example # y.example\nhttps://z.example/@a\n')).toEqual([
    { line: 3, domains: ['x.example'], isPlain: true, refused: null },
    { line: 4, domains: ['z.example'], isPlain: true, refused: null },
  ]);
});

it('says of a line from which nothing could be taken why', async () => {
  expect(await read('not a domain\n192.0.2.1\n*.example.invalid')).toMatchObject([
    { line: 1, domains: [], refused: 'bad-label' },
    { line: 2, domains: [], refused: 'ip-literal' },
    { line: 3, domains: [], refused: 'bad-label' },
  ]);
});

it('says of a line that goes on where nothing is read any more that not all was taken', async () => {
  const long = 'x.example,'.repeat(MAX_LINE_LENGTH / 10 + 1).slice(0, MAX_LINE_LENGTH);
  expect(await read(long)).toMatchObject([{ domains: expect.arrayContaining(['x.example']), refused: 'too-long' }]);
});
