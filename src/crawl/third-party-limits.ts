import type { ThirdPartySlots } from '../http/admit-host.ts';
import type { HostAddress } from '../http/resolver.ts';
import type { ThirdParties } from '../identify/visit-context.ts';
import type { Domain } from '../model/domain/domain.ts';
import { registrableDomainOf, siteOf } from '../model/domain/registrable-domain.ts';
import { type EpochMs, HOUR_MS } from '../model/time.ts';
import type { KnownDomains } from '../store/domains/known-domains.ts';
import { addressKey, HostLimits, type Slot, type SlotLimits } from './host-limits.ts';
import type { HourlyLimit } from './hourly-limit.ts';

/**
 * Maximum contacts per hour with third-party hosts of one registrable domain, and at one address, so that visits cannot be used to send many
 * requests to somebody else's host.
 */
const MOST = { perRegistrableDomain: 10, perAddress: 30 };

/** The one contact an hour with a site that a submission may cause. */
export const siteSlot = (host: string): Slot => ({ key: `site ${siteOf(host)}`, limit: 1 });
/** The owner of a wildcard DNS record could submit any number of names that lead to one machine. */
export const registrableDomainSlot = (domain: Domain): Slot => ({
  key: `domain ${registrableDomainOf(domain)}`,
  limit: MOST.perRegistrableDomain,
});

export interface ThirdPartyLimitsOptions {
  hourlyLimit: HourlyLimit;
  domains: KnownDomains;
  now: () => EpochMs;
}

/** Limits the contacts of visits with third-party hosts: those per hour, and those at a time. */
export class ThirdPartyLimits implements ThirdParties, ThirdPartySlots {
  readonly #options: ThirdPartyLimitsOptions;
  /** Apart from the slots of visits: a visit that already holds a slot could otherwise wait for itself. */
  readonly #slots = new HostLimits();
  /** A limit of 0 means no limit, also for third-party hosts. */
  limits: SlotLimits;

  constructor(options: ThirdPartyLimitsOptions, limits: SlotLimits) {
    this.#options = options;
    this.limits = limits;
  }

  /** Waits for a slot at the addresses of a third-party host, and returns the function that releases it. */
  async admit(addresses: readonly HostAddress[]): Promise<() => void> {
    const limit = this.limits.perAddress;
    const slots = addresses.map(({ address }) => ({ key: addressKey(address), limit }));
    await this.#slots.acquire(slots);
    return () => this.#slots.release(slots);
  }

  mayContact(...[{ hostname }, addresses, { domain, isSubmission }]: Parameters<ThirdParties['mayContact']>): boolean {
    const { hourlyLimit } = this.#options;
    const host = hostname.replace(/\.$/, '');
    // A host that a submission leads to counts as visited too: it cannot be submitted for an hour.
    if (isSubmission && this.visitAllowedAt(host) !== null) return false;
    const site = isSubmission ? [siteSlot(host)] : [];
    if (registrableDomainOf(host as Domain) === registrableDomainOf(domain)) return hourlyLimit.count(site);
    const { perRegistrableDomain, perAddress } = this.limits;
    const registrable = registrableDomainSlot(host as Domain);
    return hourlyLimit.count([
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
    const { hourlyLimit, domains, now } = this.#options;
    const last = domains.lastVisitUnderAnyName(host, now());
    const again = Math.max(last === null ? 0 : last + HOUR_MS, now() + hourlyLimit.waitMs([siteSlot(host)]));
    return again > now() ? again : null;
  }
}
