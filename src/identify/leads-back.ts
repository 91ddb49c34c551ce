import type { Domain } from '../domain/domain.ts';
import type { KnownAlias } from '../record/known-alias.ts';

/** A longer way round is not recognised. */
const MOST_HOPS = 5;

/**
 * Whether a host that `domain` redirects to redirects back to it, by itself or by way of others.
 *
 * @param since what was found before is not believed, milliseconds since the epoch.
 */
export function leadsBack(
  domain: Domain,
  target: Domain,
  aliasOf: (domain: Domain) => KnownAlias | null,
  since: number,
): boolean {
  let host = target;
  for (let hops = 0; hops < MOST_HOPS; hops++) {
    const known = aliasOf(host);
    if (known === null || known.at < since) return false;
    if (known.to === domain) return true;
    host = known.to;
  }
  return false;
}
