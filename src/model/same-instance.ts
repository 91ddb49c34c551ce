import type { Domain } from './domain/domain.ts';
import { registrableDomainOf } from './domain/registrable-domain.ts';
import type { Via } from './verdict.ts';

export interface InstanceDomain {
  domain: Domain;
  via: Via | null;
  canonicalHost: Domain | null;
  firstSeen: number;
  /** Whether its documents are those of its canonical host: NodeInfo is served there, and config, if there is one, names it too. */
  isCopy: boolean;
}

/**
 * Whether a domain is a secondary name of the instance at another domain, so that it is not listed. Precondition: both run Loops.
 * - If they point to each other, the one identified by config is the primary, else the one known for longer.
 * - If only this one points to the other, which points to none, by config, and either both have the same registrable domain or this one is
 *   a copy, the other is the primary.
 * - If this one is identified only by a NodeInfo document that the other serves, and the other points to no third one, or has a config of its
 *   own, the other is the primary.
 */
export function isSecondaryDomain(domain: InstanceDomain, other: InstanceDomain): boolean {
  if (domain.canonicalHost !== other.domain || domain.domain === other.domain) return false;
  if (other.canonicalHost !== domain.domain) {
    if (domain.via === 'nodeinfo') return domain.isCopy && (other.canonicalHost === null || other.via === 'config');
    const isNear = registrableDomainOf(other.domain) === registrableDomainOf(domain.domain);
    return other.canonicalHost === null && (isNear || domain.isCopy);
  }
  if ((other.via === 'config') !== (domain.via === 'config')) return other.via === 'config';
  if (other.firstSeen !== domain.firstSeen) return other.firstSeen < domain.firstSeen;
  return other.domain < domain.domain;
}
