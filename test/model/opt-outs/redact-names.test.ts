import { domainToASCII } from 'node:url';
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { createOptOutSet, REDACTED_NAME } from '../../../src/model/opt-outs/opt-out-names.ts';
import {
  bodyMentionsOptedOutHost,
  mentionsOptedOutHost,
  redactNames,
  redactText,
} from '../../../src/model/opt-outs/redact-names.ts';

const optedOut = createOptOutSet(
  new Set([
    ...['opt.example', 's.video', 'ports.example:8443'],
    ...['bücher', 'col·lecció', 'צה״ל', 'i❤', 'ශ්\u200dරී', 'نامه\u200cای', '東京・大阪'].map((label) =>
      domainToASCII(`${label}.example`),
    ),
  ]),
);
const redacted = (text: string) => redactText(text, optedOut);

test.each([
  ['we moved from opt.example.', 'we moved from opted-out.invalid.'],
  ['OPT.Example, www.opt.example', 'opted-out.invalid, opted-out.invalid'],
  ['https://user:secret@opt.example:8443/x', 'https://user:secret@opted-out.invalid:8443/x'],
  ['https://opt.example:443/', 'https://opted-out.invalid:443/'],
  ['@someone@opt.example', '@someone@opted-out.invalid'],
  ['[opt.example](https://opt.example)', '[opted-out.invalid](https://opted-out.invalid)'],
  ['?to=https%3A%2F%2Fopt.example%2F', '?to=https%3A%2F%2Fopted-out.invalid%2F'],
  ['{"text":"a\\nopt.example"}', '{"text":"a\\nopted-out.invalid"}'],
  ['bücher.example BÜCHER.example xn--bcher-kva.example', `${REDACTED_NAME} ${REDACTED_NAME} ${REDACTED_NAME}`],
  ['我们从opt.example搬来', '我们从opted-out.invalid搬来'],
  ['col·lecció.example, צה״ל.example, 東京・大阪.example', `${REDACTED_NAME}, ${REDACTED_NAME}, ${REDACTED_NAME}`],
  [
    'https://I❤.example נ ශ්\u200dරී.example نامه\u200cای.example',
    `https://${REDACTED_NAME} נ ${REDACTED_NAME} ${REDACTED_NAME}`,
  ],
  ['we❤opt.example·👩\u200d🚀s.video例s.video', `we❤${REDACTED_NAME}·👩\u200d🚀${REDACTED_NAME}例${REDACTED_NAME}`],
  ['“opt.example”—gone', '“opted-out.invalid”—gone'],
  ['see..opt.example..., _opt.example_', 'see..opted-out.invalid..., _opted-out.invalid_'],
  ['an opt.example-based server, "opt.example-7"', 'an opted-out.invalid-based server, "opted-out.invalid-7"'],
  ['ports.example:8443 www.PORTS.example:8443', 'opted-out.invalid:8443 opted-out.invalid:8443'],
  ['s.video and loops.video', 'opted-out.invalid and loops.video'],
])('%s is redacted', (text, expected) => {
  expect(redacted(text)).toBe(expected);
  expect(redacted(expected)).toBe(expected);
  expect([mentionsOptedOutHost(text, optedOut), mentionsOptedOutHost(expected, optedOut)]).toEqual([true, false]);
  expect(bodyMentionsOptedOutHost(Buffer.from(text), optedOut)).toBe(true);
});

test.each([
  'loops.video x.s.video s.video.example',
  'notopt.example opt.example.org a.opt.example my_opt.example éopt.example opt-example optexample',
  'ports.example ports.example:443 ports.example:84430 ports.example:8444',
  'loops 1.0.0-beta.14 http://nodeinfo.diaspora.software/ns/schema/2.0 application/json',
])('%s is not redacted', (text) => {
  expect(redacted(text)).toBe(text);
  expect(bodyMentionsOptedOutHost(Buffer.from(text), optedOut)).toBe(false);
});

describe('a JSON body', () => {
  it('is searched with its escaped non-ASCII characters decoded', () => {
    expect(bodyMentionsOptedOutHost(Buffer.from('{"url":"https:\\/\\/b\\u00fccher.example"}'), optedOut)).toBe(true);
  });

  it('may hold invalid UTF-8', () => {
    const body = Buffer.concat([Buffer.from([0xff, 0xc3, 0x20]), Buffer.from('opt.example'), Buffer.from([0x80])]);
    expect(bodyMentionsOptedOutHost(body, optedOut)).toBe(true);
  });
});

test('every text in a value is redacted, and a value without opted-out names is returned as is', () => {
  const value = { name: 'at\nopt.example', list: ['x', { note: 'www.opt.example' }], count: 1, none: null };
  expect(redactNames(value, optedOut)).toEqual({
    name: 'at\nopted-out.invalid',
    list: ['x', { note: 'opted-out.invalid' }],
    count: 1,
    none: null,
  });
  const other = { name: 'loops.video' };
  expect(redactNames(other, optedOut)).toBe(other);
});

test('no text is searched while no host has opted out', () => {
  const none = { size: 0, has: () => expect.fail('a name was looked up') };
  expect(redactText('opt.example', none)).toBe('opt.example');
  expect(bodyMentionsOptedOutHost(Buffer.from('opt.example'), none)).toBe(false);
});

/** Texts that redaction leaves unchanged, each as a pair of the text and its expected redaction. */
const unchanged = (...texts: string[]) => fc.constantFrom(...texts).map((text) => [text, text] as const);
const word = fc.oneof(
  fc.constantFrom('opt.example', 'www.OPT.example', 'bücher.example').map((name) => [name, REDACTED_NAME] as const),
  unchanged('notopt.example', 'opt.example.org', 'a.opt.example', '1.2.3', 'text', 'naïve', 'ports.example', '漢字'),
);
const separator = unchanged(
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
  '—',
);

test('exactly the opted-out names are redacted, next to any separator', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(separator, word), { maxLength: 12 }), separator, (parts, end) => {
      const pairs = [...parts.flat(), end];
      const text = pairs.map(([written]) => written).join('');
      expect(redacted(text)).toBe(pairs.map(([, expected]) => expected).join(''));
    }),
    { numRuns: 500 },
  );
});

test('the search of a hostile body takes time proportional to its size', () => {
  const bodies = [
    `a.${'-'.repeat(260_000)}.b`,
    '.'.repeat(260_000),
    `${'a'.repeat(130_000)}..${'a'.repeat(130_000)}`,
    '\\u002e'.repeat(43_000),
    '%25'.repeat(87_000),
    'a.'.repeat(130_000),
    'é.'.repeat(87_000),
    '漢'.repeat(87_000),
    '❤.'.repeat(65_000),
    'a:1'.repeat(87_000),
  ].map((text) => Buffer.from(text));
  const startedAt = performance.now();
  for (const body of bodies) expect(bodyMentionsOptedOutHost(body, optedOut)).toBe(false);
  // About 0.2 s on an idle machine; a quadratic search would take minutes.
  expect(performance.now() - startedAt).toBeLessThan(5_000);
});
