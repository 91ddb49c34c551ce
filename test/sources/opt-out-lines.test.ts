import { expect, it } from 'vitest';
import { type OptOutLine, optOutLines } from '../../src/sources/opt-out-lines.ts';
import { type Line, MAX_LINE_LENGTH } from '../../src/sources/regular-file.ts';

async function read(text: string) {
  async function* lines(): AsyncGenerator<Line> {
    for (const [index, line] of text.split('\n').entries()) yield { number: index + 1, text: line };
  }
  const optOuts: OptOutLine[] = [];
  for await (const line of optOutLines(lines(), { allowSuffixes: ['example'] })) optOuts.push(line);
  return optOuts;
}

it.each([
  ['a wildcard', '*.x.example', ['x.example']],
  ['a trailing comma', 'x.example,', ['x.example']],
  ['a list marker', '- x.example', ['x.example']],
  ['a semicolon and more text', 'x.example ; y', ['x.example']],
  ['a tab and more text', 'x.example\tx', ['x.example']],
  ['two domains', 'x.example y.example', ['x.example', 'y.example']],
  ['a CSV record', '"x.example","2026-01-01","by mail"', ['x.example']],
  ['a JSON entry', '  "x.example",', ['x.example']],
  ['a port of another protocol', 'x.example:22', ['x.example']],
  ['another port', '- x.example:8443', ['x.example:8443']],
  ['another scheme', 'mailto:admin@x.example', ['x.example']],
  ['a Unicode name', '* bücher.example', ['xn--bcher-kva.example']],
  ['surrounding words', 'please leave out x.example (and www.x.example)!', ['x.example', 'www.x.example']],
  ['a leading dot', '.x.example', ['x.example']],
])('a malformed opt-out line with %s still covers the domains it names', async (_what, text, domains) => {
  expect(await read(text)).toEqual([{ line: 1, domains, isPlain: false, refused: null }]);
});

it('an opt-out line of one domain or URL is plain, and comments are ignored', async () => {
  expect(await read('# asked by mail\n\nx.example # y.example\nhttps://z.example/@a\n')).toEqual([
    { line: 3, domains: ['x.example'], isPlain: true, refused: null },
    { line: 4, domains: ['z.example'], isPlain: true, refused: null },
  ]);
});

it('an opt-out line without a domain is refused with a reason', async () => {
  expect(await read('not a domain\n192.0.2.1\n*.example.invalid')).toMatchObject([
    { line: 1, domains: [], refused: 'bad-label' },
    { line: 2, domains: [], refused: 'ip-literal' },
    { line: 3, domains: [], refused: 'bad-label' },
  ]);
});

it('a truncated opt-out line covers the domains that were read, and is refused as too long', async () => {
  // Longer lines are truncated to this length when the file is read.
  const long = 'x.example,'.repeat(MAX_LINE_LENGTH / 10 + 1).slice(0, MAX_LINE_LENGTH);
  expect(await read(long)).toMatchObject([{ domains: expect.arrayContaining(['x.example']), refused: 'too-long' }]);
});
