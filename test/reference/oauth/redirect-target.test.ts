import { expect, it } from 'vitest';
import { redirectTarget } from '../../../src/reference/oauth/authorization-request.ts';

it.each([
  ['https://a.example/cb', 'https://a.example/cb?code=1&state=s'],
  ['https://a.example', 'https://a.example?code=1&state=s'],
  ['https://a.example/cb?x=1', 'https://a.example/cb?x=1&code=1&state=s'],
  ['https://a.example/cb?', 'https://a.example/cb?code=1&state=s'],
  ['https://a.example/cb?x=1&', 'https://a.example/cb?x=1&code=1&state=s'],
  ['app:/cb', 'app:/cb?code=1&state=s'],
])('redirectTarget appends its parameters to %s after the existing query', (uri, expected) => {
  expect(redirectTarget(uri, { code: '1' }, 's')).toBe(expected);
});

it('redirectTarget encodes parameters, sends state unchanged, and omits a missing state', () => {
  expect(redirectTarget('a:/', { error: 'e', error_description: 'a b&c' }, '%00+%2B')).toBe(
    'a:/?error=e&error_description=a%20b%26c&state=%00+%2B',
  );
  expect(redirectTarget('a:/', { code: '1' }, undefined)).toBe('a:/?code=1');
});
