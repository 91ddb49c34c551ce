import { expect, test } from 'vitest';
import { isHostName } from '../../../src/model/domain/parse-domain.ts';

test.each(['a.example', 'xn--bcher-kva.example:8443', 'a.localhost', `${'a'.repeat(63)}.example`])(
  '%s is a host name',
  (text) => {
    expect(isHostName(text)).toBe(true);
  },
);

test.each([
  ...['', 'a', 'A.example', 'b\u00fccher.example', 'a.example.', 'a.example:443', 'a.example:0', 'a.example:65536'],
  ...[
    '127.0.0.1',
    '[::1]',
    'https://a.example',
    '@ada@a.example',
    'a.example/x',
    'a.example?x',
    'a..example',
    'a_b.example',
  ],
  ...[' a.example', 'a.example\n', `${'a'.repeat(64)}.example`, 'x"><script>.example'],
])('%j is not a host name in stored form', (text) => {
  expect(isHostName(text)).toBe(false);
});
