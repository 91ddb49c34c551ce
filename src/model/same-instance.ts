import type { Domain } from './domain/domain.ts';
import { registrableDomainOf } from './domain/registrable-domain.ts';
import type { Via } from './verdict.ts';

/** What tells which of two domains of one instance is the instance. */
export interface Name {
  domain: Domain;
  via: Via | null;
  canonicalHost: Domain | null;
  firstSeen: number;
}

/**
 * Whether one domain is the lesser name of another, so that only the other is listed. Both are Loops and could be listed. Only the
 * two domains of a pair that one of them names can be one instance:
 * - they name each other: the one that its own config names is the instance, else the one known for longer;
 * - the config of one names the other under the same registrable domain, and that one names nobody: the other is.
 */
export function isLesserName(one: Name, other: Name): boolean {
  if (one.canonicalHost !== other.domain || one.domain === other.domain) return false;
  if (other.canonicalHost === null) {
    return one.via === 'config' && registrableDomainOf(other.domain) === registrableDomainOf(one.domain);
  }
  if (other.canonicalHost !== one.domain) return false;
  if ((other.via === 'config') !== (one.via === 'config')) return other.via === 'config';
  if (other.firstSeen !== one.firstSeen) return other.firstSeen < one.firstSeen;
  return other.domain < one.domain;
}
