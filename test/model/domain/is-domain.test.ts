import { expect, test } from 'vitest';
import { isDomain } from '../../../src/model/domain/domain.ts';

test.each(['a.example', 'xn--bcher-kva.example:8443', 'a.localhost', `${'a'.repeat(63)}.example`])(
  '%s has the form of a domain',
  (text) => {
    expect(isDomain(text)).toBe(true);
  },
);

test.each([
  ...['', 'a', 'A.example', 'b\u00fccher.example', 'a.example.', 'a.example:0'],
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
])('%j does not have the form of a domain', (text) => {
  expect(isDomain(text)).toBe(false);
});
