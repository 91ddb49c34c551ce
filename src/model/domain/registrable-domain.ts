import { getDomain } from 'tldts';
import { optOutScopeOf } from '../opt-outs/opt-out-names.ts';
import { type Domain, hostOf } from './domain.ts';

/**
 * The name that was registered: `gayfr.social` for `videos.gayfr.social`. The private part of the public suffix list
 * counts, so that customers of one host are not one group. A host that is itself a public suffix is its own.
 */
export function registrableDomainOf(domain: Domain): string {
  const host = hostOf(domain);
  return getDomain(host, { allowPrivateDomains: true, extractHostname: false, validateHostname: false }) ?? host;
}

/** The host, whatever its port, without a leading `www.`: whose requests are counted together, since it is one server to its owner. */
export function siteOf(name: string): string {
  return optOutScopeOf(name).bare;
}
