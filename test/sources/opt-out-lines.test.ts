import { expect, it } from 'vitest';
import { type Line, MAX_LINE_LENGTH } from '../../src/sources/formats/lines.ts';
import { type OptOutLine, optOutLines } from '../../src/sources/opt-out-lines.ts';

async function read(text: string) {
  async function* lines(): AsyncGenerator<Line> {
    for (const [index, line] of text.split('\n').entries()) yield { number: index + 1, text: line };
  }
  const optOuts: OptOutLine[] = [];
  for await (const line of optOutLines(lines(), { allowSuffixes: ['example'] })) optOuts.push(line);
  return optOuts;
}

it.each([
  ['a name', 'x.example', ['x.example']],
  ['a remark after a number sign', 'x.example # y.example, cl***.example', ['x.example']],
  ['a remark after a comma', 'x.example, gone since May.', ['x.example']],
  ['a remark after a semicolon', 'x.example ; gone', ['x.example']],
  ['a wildcard', '*.x.example', ['x.example']],
  ['a trailing comma', 'x.example,', ['x.example']],
  ['a date after a comma', 'x.example,2026-01-01,by mail', ['x.example']],
  [
    'several names',
    'x.example y.example, *.z.example;w.example:8443',
    ['x.example', 'y.example', 'z.example', 'w.example:8443'],
  ],
  ['a URL', 'https://z.example/@a', ['z.example']],
  ['a URL with a comma in its path', 'https://z.example/a,x.example', ['z.example']],
  ['a handle', '@user@x.example', ['x.example']],
  ['an acct URI', 'acct:user@x.example', ['x.example']],
  ['a Unicode name', 'bücher.example', ['xn--bcher-kva.example']],
])('an opt-out line with %s opts out the hosts it names', async (_what, text, domains) => {
  expect(await read(text)).toEqual([{ line: 1, domains, refused: null }]);
});

it('empty opt-out lines and comments are ignored', async () => {
  expect(await read('# asked by mail\n\n \n  # x.example\n')).toEqual([]);
});

it.each([
  ['asterisks', 'media.******y.example'],
  ['asterisks and spaces', 'media. ****** y.example'],
  ['a wildcard and a space', '*. y.example:8443'],
  ['two wildcards', '*.*.y.example'],
  ['an asterisk without a dot', '*y.example'],
  ['number signs', 'media.y.example##.video'],
  ['blocks', 'media.██y.example'],
  ['a bullet', 'media•y.example'],
  ['an ellipsis', 'media.…y.example'],
  ['a leading dot', '.y.example'],
  ['a dot in brackets', 'media[.]y.example'],
  ['a dot in brackets and spaces', 'media.example [.] y.example'],
  ['a word in parentheses', 'media (dot) y.example'],
  ['a word', 'media dot y.example'],
  ['a word after a name', 'media.example dot video'],
  ['a hidden name after a comma', 'x.example, once cl***.example'],
  ['a zero-width space', 'media.\u200by.example'],
  ['an at sign', 'medi@y.example'],
  ['a user name of asterisks', '***@y.example'],
  ['a handle with a hidden letter', '@s*@he.example'],
  ['a handle of asterisks', '@***@y.example'],
  ['an account with a hidden letter', 'acct:s•@he.example'],
  ['a variation selector', '\ufe0fy.example'],
  ['a joiner', '\u200dy.example'],
  ['an at sign in a URL', 'https://medi@y.example/'],
  ['a list marker', '- x.example'],
  ['surrounding words', 'please leave out x.example'],
  ['quotes', '"x.example","2026-01-01"'],
  ['a name in the remark', 'x.example, now at y.example'],
  ['two URLs', 'https://x.example/ https://y.example/'],
  ['another scheme', 'mailto:admin@x.example'],
  ['a port of another protocol', 'x.example:22'],
  ['an IP address', '192.0.2.1'],
  ['a suffix that does not exist', 'x.vidio'],
])('an opt-out line with %s is refused and opts nobody out, and the next line applies', async (_what, text) => {
  expect(await read(`${text}\nnext.example`)).toEqual([
    { line: 1, domains: [], refused: expect.stringMatching(/^[a-z-]+$/) },
    { line: 2, domains: ['next.example'], refused: null },
  ]);
});

it('a truncated opt-out line is refused as too long', async () => {
  // Longer lines are truncated to this length when the file is read.
  const long = 'x.example,'.repeat(MAX_LINE_LENGTH / 10 + 1).slice(0, MAX_LINE_LENGTH);
  expect(await read(long)).toEqual([{ line: 1, domains: [], refused: 'too-long' }]);
});
