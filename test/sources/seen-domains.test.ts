import { expect, it } from 'vitest';
import { storedDomain } from '../../src/model/domain/domain.ts';
import { createSeenDomains } from '../../src/sources/seen-domains.ts';

it('the seen domains recognise each of 200,000 similar domains and confuse none', () => {
  const seen = createSeenDomains();
  const domains = Array.from({ length: 200_000 }, (_, index) => storedDomain(`host-${index}.example.org`));
  expect(domains.filter((domain) => !seen.add(domain))).toEqual([]);
  expect(domains.filter((domain) => seen.add(domain))).toEqual([]);
});

it('the seen domains distinguish the ports of one host', () => {
  const seen = createSeenDomains();
  expect(seen.add(storedDomain('a.example'))).toBe(true);
  expect(seen.add(storedDomain('a.example:8443'))).toBe(true);
  expect(seen.add(storedDomain('a.example'))).toBe(false);
});
