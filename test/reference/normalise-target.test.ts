import { describe, expect, it } from 'vitest';
import { normaliseTarget } from '../../src/reference/normalise-target.ts';

describe('normaliseTarget', () => {
  it.for([
    ['/api/v1/config', '/api/v1/config'],
    ['/%61pi/v1/conf%69g', '/api/v1/config'],
    ['/api/v1%2Econfig%7e', '/api/v1.config~'],
    ['http://a.example/api/v1/config?b=1', '/api/v1/config?b=1'],
    ['HTTPS://a.example:80/%61pi', '/api'],
    ['http://a.example', '/'],
    ['http://a.example?b=1', '/?b=1'],
    ['/api/v1/config#a?b', '/api/v1/config'],
    ['*', '/*'],
  ] as const)('writes %s as %s', ([target, normal]) => {
    expect(normaliseTarget(target)).toBe(normal);
  });

  it('keeps necessary percent-encoding', () => {
    for (const target of ['/a%2Fb%3fc%23d', '/%40ada', '/%C3%B6', '/%20', '/%2561']) {
      expect(normaliseTarget(target)).toBe(target);
    }
  });

  it('keeps the query unchanged', () => {
    expect(normaliseTarget('/%6fauth?state=%61%zz&b=%ff#c')).toBe('/oauth?state=%61%zz&b=%ff#c');
  });

  it('encodes a stray % without forming a new escape sequence', () => {
    expect(normaliseTarget('/%')).toBe('/%25');
    expect(normaliseTarget('/%zz/%61')).toBe('/%25zz/a');
    expect(normaliseTarget('/%%36%31')).toBe('/%2561');
    expect(normaliseTarget('/%c0%ae')).toBe('/%25c0%25ae');
  });

  it('is idempotent, and the path of its result can always be decoded', () => {
    const pieces = ['%', '%6', '1', '%61', '%25', '/', '?', '#', '%ff', '%C3%B6', 'http://', 'a', '%2F', 'ö'];
    // A linear congruential generator, so that each run tests the same targets.
    let seed = 7;
    const next = () => {
      seed = (seed * 16_807) % 2_147_483_647;
      return seed;
    };
    for (let run = 0; run < 5_000; run += 1) {
      const target = Array.from({ length: next() % 8 }, () => pieces[next() % pieces.length]).join('');
      const normal = normaliseTarget(target);
      const path = normal.split('?', 1)[0] ?? '';
      expect([target, normaliseTarget(normal), normal[0]]).toEqual([target, normal, '/']);
      expect(() => decodeURI(path), target).not.toThrow();
    }
  });
});
