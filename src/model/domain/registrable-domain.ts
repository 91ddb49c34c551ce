import { getDomain } from 'tldts';
import { optOutScopeOf } from '../opt-outs/opt-out-names.ts';
import { type Domain, hostOf } from './domain.ts';

/**
 * The registrable domain: `gayfr.social` for `videos.gayfr.social`. The private part of the public suffix list counts, so customers of
 * one hosting provider are not one group. A host that is itself a public suffix is its own registrable domain.
 */
export function registrableDomainOf(domain: Domain): string {
  const host = hostOf(domain);
  return getDomain(host, { allowPrivateDomains: true, extractHostname: false, validateHostname: false }) ?? host;
}

/** The host without port and leading `www.`: requests are counted per site, since its owner sees it as one server. */
export function siteOf(name: string): string {
  return optOutScopeOf(name).bare;
}
