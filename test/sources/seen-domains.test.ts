import { expect, it } from 'vitest';
import { storedDomain } from '../../src/model/domain/domain.ts';
import { createSeenDomains } from '../../src/sources/seen-domains.ts';

it('recognises every domain and confuses none of 200,000 similar ones', () => {
  const seen = createSeenDomains();
  const domains = Array.from({ length: 200_000 }, (_, index) => storedDomain(`host-${index}.example.org`));
  expect(domains.filter((domain) => !seen.add(domain))).toEqual([]);
  expect(domains.filter((domain) => seen.add(domain))).toEqual([]);
});

it('distinguishes the ports of one host', () => {
  const seen = createSeenDomains();
  expect(seen.add(storedDomain('a.example'))).toBe(true);
  expect(seen.add(storedDomain('a.example:8443'))).toBe(true);
  expect(seen.add(storedDomain('a.example'))).toBe(false);
});
