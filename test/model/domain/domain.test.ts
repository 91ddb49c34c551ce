import { describe, expect, it } from 'vitest';
import { hostOf, originOf, portOf, storedDomain } from '../../../src/model/domain/domain.ts';
import { parseDomain } from '../../../src/model/domain/parse-domain.ts';
import { registrableDomainOf } from '../../../src/model/domain/registrable-domain.ts';

const domain = (text: string) => {
  const parse = parseDomain(text, { allowSuffixes: ['example'] });
  if (!parse.ok) throw new Error(parse.detail);
  return parse.domain;
};

describe('a Domain', () => {
  it('without a port has a host, the port 443 and an https origin', () => {
    const plain = domain('loops.example');
    expect([hostOf(plain), portOf(plain), originOf(plain)]).toEqual(['loops.example', 443, 'https://loops.example']);
  });

  it('keeps its port', () => {
    const ported = domain('loops.example:8443');
    expect(hostOf(ported)).toBe('loops.example');
    expect(portOf(ported)).toBe(8443);
    expect(originOf(ported)).toBe('https://loops.example:8443');
  });

  it.each([
    ['videos.gayfr.social', 'gayfr.social'],
    ['gayfr.social:8443', 'gayfr.social'],
    ['a.b.co.uk', 'b.co.uk'],
    ['one.github.io', 'one.github.io'],
    ['a.one.github.io', 'one.github.io'],
    ['github.io', 'github.io'],
    ['a.loops.example', 'loops.example'],
  ])('%s has the registrable domain %s', (text, registrable) => {
    expect(registrableDomainOf(domain(text))).toBe(registrable);
  });
});

describe('storedDomain', () => {
  it.each(['loops.video', 'loops.example:8443', 'xn--i-7iq.ws'])('accepts %s', (text) => {
    expect(storedDomain(text)).toBe(text);
  });

  it.each(['', 'localhost', 'Loops.video', 'loops.video/', 'loops.video:0', "x'; DROP TABLE"])(
    'throws on %j',
    (text) => {
      expect(() => storedDomain(text)).toThrow(/the store is damaged/);
    },
  );
});
