import type { HostAddress } from '../http/resolver.ts';
import type { Domain } from '../model/domain/domain.ts';
import { registrableDomainOf, siteOf } from '../model/domain/registrable-domain.ts';
import { addressKey, type Slot, type SlotLimits } from './host-limits.ts';
import type { HourlyLimit } from './hourly-limit.ts';

/**
 * Maximum contacts per hour with third-party hosts of one registrable domain, and at one address, so that visits cannot be used to send many
 * requests to somebody else's host.
 */
const MOST = { perRegistrableDomain: 10, perAddress: 30 };
const HOUR_MS = 3_600_000;

/** The one contact an hour with a site that a submission may cause. */
export const siteSlot = (host: string): Slot => ({ key: `site ${siteOf(host)}`, limit: 1 });
/** The owner of a wildcard DNS record could submit any number of names that lead to one machine. */
export const registrableDomainSlot = (domain: Domain): Slot => ({
  key: `domain ${registrableDomainOf(domain)}`,
  limit: MOST.perRegistrableDomain,
});

export interface ThirdPartyLimitsOptions {
  hourlyLimit: HourlyLimit;
  /** A limit of 0 means no limit, also for third-party hosts. */
  limits: () => SlotLimits;
  /** The start of the last visit of a host under any of its names, up to a time. */
  lastVisitOf: (host: string, upTo: number) => number | null;
  now: () => number;
}

/** Counts the contacts of visits with third-party hosts. */
export class ThirdPartyLimits {
  readonly #options: ThirdPartyLimitsOptions;

  constructor(options: ThirdPartyLimitsOptions) {
    this.#options = options;
  }

  /** Counts the contact of a visit with a third-party host; false when the host has reached its limit. */
  mayContact(
    { hostname }: URL,
    { domain, isSubmission }: { domain: Domain; isSubmission: boolean },
    addresses: readonly HostAddress[],
  ): boolean {
    const { hourlyLimit, limits } = this.#options;
    const host = hostname.replace(/\.$/, '');
    // A host that a submission leads to counts as visited too: it cannot be submitted for an hour.
    if (isSubmission && this.visitAllowedAt(host) !== null) return false;
    const site = isSubmission ? [siteSlot(host)] : [];
    if (registrableDomainOf(host as Domain) === registrableDomainOf(domain)) return hourlyLimit.admit(site);
    const { perRegistrableDomain, perAddress } = limits();
    const registrable = registrableDomainSlot(host as Domain);
    return hourlyLimit.admit([
      ...site,
      { ...registrable, limit: perRegistrableDomain && registrable.limit },
      ...addresses.map(({ address }) => ({
        key: `address ${addressKey(address)}`,
        limit: perAddress && MOST.perAddress,
      })),
    ]);
  }

  /** When a host may be visited for a submission, under any of its names, in milliseconds since the epoch; null: now. */
  visitAllowedAt(host: string): number | null {
    const { hourlyLimit, lastVisitOf, now } = this.#options;
    const last = lastVisitOf(host, now());
    const again = Math.max(last === null ? 0 : last + HOUR_MS, now() + hourlyLimit.waitMs([siteSlot(host)]));
    return again > now() ? again : null;
  }
}
