import type { Resolved } from '../identify/identifier.ts';
import { registrableDomainOf, siteOf } from '../model/domain/registrable-domain.ts';
import { addressKey, type Claim } from '../queue/admission.ts';
import type { CrawlParts } from './crawl-options.ts';

/** One visit per host at a time, on any port, with or without `www.`; limits per registrable domain and per address. */
export function claimsOf({ builder, addresses }: Resolved, limits: CrawlParts['limits']): Claim[] {
  const { domain } = builder;
  return [
    { key: `host ${siteOf(domain)}`, limit: 1 },
    { key: `domain ${registrableDomainOf(domain)}`, limit: limits.perRegistrableDomain },
    ...addresses.map(({ address }) => ({ key: `address ${addressKey(address)}`, limit: limits.perAddress })),
  ];
}
