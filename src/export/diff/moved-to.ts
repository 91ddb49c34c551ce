import type { Domain } from '../../model/domain/domain.ts';
import type { DomainRecord } from '../../model/domain-record.ts';
import type { Listing } from '../../store/domains/known-domains.ts';

export interface DomainLookup {
  listingOf(domain: Domain): Listing | null;
  find(domain: Domain): DomainRecord | null;
}

/** The listed domain to which an unlisted one has moved: its primary name, redirect target or canonical host; null when none is listed. */
export function movedTo(domain: Domain, present: DomainLookup): Domain | null {
  const listing = present.listingOf(domain);
  const current = present.find(domain);
  const targets = [
    listing !== null && 'as' in listing ? listing.as : null,
    current?.aliasOf,
    current?.host.canonicalHost,
  ];
  return targets.find((target) => target != null && present.listingOf(target)?.listed === true) ?? null;
}
