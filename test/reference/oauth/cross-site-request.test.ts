import { expect, it } from 'vitest';
import { isCrossSite } from '../../../src/reference/endpoints/consent-session.ts';

it.each<[headers: Record<string, string>, isCrossSite: boolean]>([
  [{}, false],
  [{ 'sec-fetch-site': 'same-origin', origin: 'null' }, false],
  [{ 'sec-fetch-site': 'none' }, false],
  [{ origin: 'http://127.0.0.1:8089' }, false],
  [{ origin: 'https://127.0.0.1:8089' }, false],
  [{ 'sec-fetch-site': 'cross-site', origin: 'null' }, true],
  [{ 'sec-fetch-site': 'same-site', origin: 'http://127.0.0.1:8089' }, true],
  [{ origin: 'http://127.0.0.1:9000' }, true],
  [{ origin: 'http://evil.example' }, true],
  [{ origin: 'nonsense' }, true],
])('a form with the headers %j counts as cross-site: %s', (headers, expected) => {
  expect(isCrossSite({ host: '127.0.0.1:8089', ...headers })).toBe(expected);
});
