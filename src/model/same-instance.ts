import type { Domain } from './domain/domain.ts';
import { registrableDomainOf } from './domain/registrable-domain.ts';
import type { Via } from './verdict.ts';

export interface InstanceDomain {
  domain: Domain;
  via: Via | null;
  canonicalHost: Domain | null;
  firstSeen: number;
}

/**
 * Whether a domain is a secondary name of the instance at another domain, so that only the other is listed. Precondition: both run Loops.
 * - If they point to each other, the one identified by config is the primary, else the one known for longer.
 * - If only this one points to the other, by config and under the same registrable domain, the other is the primary.
 */
export function isSecondaryDomain(domain: InstanceDomain, other: InstanceDomain): boolean {
  if (domain.canonicalHost !== other.domain || domain.domain === other.domain) return false;
  if (other.canonicalHost === null) {
    return domain.via === 'config' && registrableDomainOf(other.domain) === registrableDomainOf(domain.domain);
  }
  if (other.canonicalHost !== domain.domain) return false;
  if ((other.via === 'config') !== (domain.via === 'config')) return other.via === 'config';
  if (other.firstSeen !== domain.firstSeen) return other.firstSeen < domain.firstSeen;
  return other.domain < domain.domain;
}
