import type { Resolved } from '../identify/identifier.ts';
import { registrableDomainOf, siteOf } from '../model/domain/registrable-domain.ts';
import { addressKey, type Claim } from '../queue/admission.ts';
import type { CrawlParts } from './crawl-options.ts';

/** The slots of a visit: one for its host (any port, with or without `www.`), and limited ones per registrable domain and per address. */
export function claimsOf({ builder, addresses }: Resolved, limits: CrawlParts['limits']): Claim[] {
  const { domain } = builder;
  return [
    { key: `host ${siteOf(domain)}`, limit: 1 },
    { key: `domain ${registrableDomainOf(domain)}`, limit: limits.perRegistrableDomain },
    ...addresses.map(({ address }) => ({ key: `address ${addressKey(address)}`, limit: limits.perAddress })),
  ];
}
