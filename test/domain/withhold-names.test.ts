import fc from 'fast-check';
import { expect, test } from 'vitest';
import { optOutNamesOf } from '../../src/domain/opt-out-names.ts';
import { WITHHELD_NAME } from '../../src/domain/withheld-name.ts';
import { withholdNames, withholdNamesInText } from '../../src/domain/withhold-names.ts';

const OPTED_OUT = new Set(['opt.example', 'xn--bcher-kva.example', 'ports.example:8443']);
const optedOutAmong = (names: readonly string[]) =>
  names.filter((name) => optOutNamesOf(name).some((one) => OPTED_OUT.has(one)));
const withheld = (text: string) => withholdNamesInText(text, optedOutAmong);

test.each([
  ['we moved from opt.example.', 'we moved from opted-out.invalid.'],
  ['OPT.Example, www.opt.example', 'opted-out.invalid, opted-out.invalid'],
  ['https://user:secret@opt.example:8443/x', 'https://user:secret@opted-out.invalid:8443/x'],
  ['https://opt.example@loops.example/', 'https://opted-out.invalid@loops.example/'],
  ['@someone@opt.example', '@someone@opted-out.invalid'],
  ['{"url":"https:\\/\\/opt.example\\/","text":"a\\nopt.example"}', null],
  ['"opt\\u002eexample \\u006fpt.EXAMPLE"', '"opted-out.invalid opted-out.invalid"'],
  ['?to=https%3A%2F%2Fopt.example%2F', '?to=https%3A%2F%2Fopted-out.invalid%2F'],
  ['?to=https%253A%252F%252Fopt%252Eexample', '?to=https%253A%252F%252Fopted-out.invalid'],
  ['opt&#46;example or opt&#x2E;example&nbsp;', 'opted-out.invalid or opted-out.invalid&nbsp;'],
  [
    'opt&period;example, opt&#46example, opt&#0000000046;example',
    'opted-out.invalid, opted-out.invalid, opted-out.invalid',
  ],
  ['opt&amp;period;example &amp;amp;#111;pt&amp;#x2E;example', 'opted-out.invalid opted-out.invalid'],
  ['opt[.]example www(.)opt(.)example opt{.}example', 'opted-out.invalid opted-out.invalid opted-out.invalid'],
  ['opt[dot]example OPT(DOT)EXAMPLE', 'opted-out.invalid opted-out.invalid'],
  ['hxxps://opt[.]example/x', 'hxxps://opted-out.invalid/x'],
  ['/^opt\\.example$/ "opt\\\\.example"', '/^opted-out.invalid$/ "opted-out.invalid"'],
  ['C:\\logs\\.opt.example ..\\.OPT.example', 'C:\\logs\\.opted-out.invalid ..\\.opted-out.invalid'],
  ['bücher\\.opt.example 漢字bücher\\.opt.example', 'bücher\\.opted-out.invalid 漢字bücher\\.opted-out.invalid'],
  ['[opt.example](https://opt.example) (opt.example)', null],
  ['bücher[.]example', WITHHELD_NAME],
  ['bücher.example BÜCHER.example xn--bcher-kva.example', `${WITHHELD_NAME} ${WITHHELD_NAME} ${WITHHELD_NAME}`],
  ['b%C3%BCcher.example b\\u00fccher.example', `${WITHHELD_NAME} ${WITHHELD_NAME}`],
  ['我们从opt.example搬来', '我们从opted-out.invalid搬来'],
  [
    'ｏｐｔ．ｅｘａｍｐｌｅ and opt。example and opt\u00ad.example',
    `${WITHHELD_NAME} and ${WITHHELD_NAME} and ${WITHHELD_NAME}`,
  ],
  ['“opt.example”—gone', '“opted-out.invalid”—gone'],
  ['an opt.example-based server, _opt.example_', 'an opted-out.invalid-based server, _opted-out.invalid_'],
  ['see..opt.example...', 'see..opted-out.invalid...'],
  ['"{\\"text\\":\\"a\\\\nopt.example\\"}"', '"{\\"text\\":\\"a\\\\nopted-out.invalid\\"}"'],
  ['ports.example:8443 PORTS.example%3A8443', 'opted-out.invalid:8443 opted-out.invalid%3A8443'],
  ['ports.example：8443 ports.example&colon;8443', 'opted-out.invalid：8443 opted-out.invalid&colon;8443'],
  ['ports[.]example：８４４３', 'opted-out.invalid：８４４３'],
])('%s is told without the name', (text, expected) => {
  expect(withheld(text)).toBe(expected ?? text.replaceAll('opt.example', WITHHELD_NAME));
});

test.each([
  'notopt.example opt.example.org a.opt.example my_opt.example éopt.example opt-example optexample',
  'ports.example ports.example:443 ports.example:84430 ports.example:8444',
  'loops 1.0.0-beta.14 http://nodeinfo.diaspora.software/ns/schema/2.0 application/json',
  'a[.]opt.example opt[.example opt(.]example opt[dat]example opt&perio;example opt&#460;example',
  'C:\\notopt.example %2Fnotopt.example \\u006eotopt.example',
])('%s stays', (text) => {
  const body = Buffer.from(text);
  expect(withholdNames(body, optedOutAmong)).toBe(body);
});

test('nobody is asked about where a text names nobody, and once about each name', () => {
  const asked: (readonly string[])[] = [];
  const among = (names: readonly string[]) => {
    asked.push(names);
    return [];
  };
  withholdNames(Buffer.from('nothing here, in version 1.2.3'), among);
  expect(asked).toEqual([]);
  withholdNames(Buffer.from('https://loops.example/a, LOOPS.example:8443 and loops.example.'), among);
  expect(asked).toEqual([['loops.example', 'loops.example:8443']]);
});

test('bytes that are no UTF-8 stay as they are, beside a name too', () => {
  const body = Buffer.concat([Buffer.from([0xff, 0xc3, 0x20]), Buffer.from('opt.example'), Buffer.from([0x20, 0x80])]);
  expect([...withholdNames(body, optedOutAmong)]).toEqual([
    0xff,
    0xc3,
    0x20,
    ...Buffer.from(WITHHELD_NAME),
    0x20,
    0x80,
  ]);
});

/** Each character as it is, as a capital, or in one of the escapes. */
const written = (name: string) =>
  fc
    .array(fc.constantFrom('plain', 'capital', 'json', 'url', 'html', 'hex', 'defanged', 'escaped'), {
      minLength: 99,
      maxLength: 99,
    })
    .map((ways) =>
      [...name]
        .map((character, index) => {
          const code = character.charCodeAt(0);
          switch (ways[index]) {
            case 'capital':
              return character.toUpperCase();
            case 'json':
              return `\\u${code.toString(16).padStart(4, '0')}`;
            case 'url':
              return encodeURIComponent(character) === character
                ? `%${code.toString(16)}`
                : encodeURIComponent(character);
            case 'html':
              return `&#${code};`;
            case 'defanged':
              return character === '.' ? '[.]' : character;
            case 'escaped':
              return character === '.' ? '\\.' : character;
            case 'hex':
              return `&#x${code.toString(16)};`;
            default:
              return character;
          }
        })
        .join(''),
    );
const one = (name: string, told: string) => written(name).map((text) => [text, told] as const);
const same = (...texts: string[]) => fc.constantFrom(...texts).map((text) => [text, text] as const);
const word = fc.oneof(
  one('opt.example', WITHHELD_NAME),
  one('www.opt.example', WITHHELD_NAME),
  one('bücher.example', WITHHELD_NAME),
  one('xn--bcher-kva.example', WITHHELD_NAME),
  same('notopt.example', 'opt.example.org', 'a.opt.example', '1.2.3', 'text', 'naïve', 'ports.example', 'OPT', '漢字'),
);
const between = same(
  ' ',
  '"',
  '/',
  ', ',
  '\n',
  '<',
  '(',
  '\\n',
  '\\"',
  '\\/',
  '%2F',
  '%20',
  '=',
  '@',
  '://',
  '&amp;',
  '—',
  '\\u0020',
);

test('whatever stands around a name and however it is written, it goes, and nothing else does', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(between, word), { maxLength: 12 }), between, (parts, end) => {
      const pairs = [...parts.flat(), end];
      const text = pairs.map(([as]) => as).join('');
      const told = pairs.map(([, as]) => as).join('');
      expect(withheld(text)).toBe(told);
      expect(withheld(told)).toBe(told);
    }),
    { numRuns: 500 },
  );
});

test('hostile bodies take time in proportion to their bytes', () => {
  const bodies = [
    `a.${'-'.repeat(260_000)}.b`,
    '.'.repeat(260_000),
    `${'a'.repeat(130_000)}..${'a'.repeat(130_000)}`,
    '\\u002e'.repeat(43_000),
    '&#46;'.repeat(52_000),
    '%25'.repeat(87_000),
    'a.'.repeat(130_000),
    '漢'.repeat(87_000),
  ].map((text) => Buffer.from(text));
  const startedAt = performance.now();
  for (const body of bodies) expect(withholdNames(body, optedOutAmong)).toBe(body);
  // A fifth of a second where nobody else is at work; what takes the square takes minutes.
  expect(performance.now() - startedAt).toBeLessThan(5_000);
});
