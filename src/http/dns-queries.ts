import type { CaaRecord as FoundCaaRecord } from 'node:dns';
import { Resolver as DnsResolver } from 'node:dns/promises';
import { type DnsFailure, dnsFailureOf } from './dns-failure.ts';
import { DEADLINE_FACTOR, type ResolverOptions } from './resolver.ts';
import { withTimeout } from './with-timeout.ts';

/** A Certification Authority Authorization record (RFC 8659 section 4). */
export interface CaaRecord {
  critical: boolean;
  tag: string;
  value: string;
}

export type DnsQueries = ReturnType<typeof createDnsQueries>;

/**
 * DNS queries for one type of record, each with its own result, on sockets of their own and without a cache; a `Resolver` combines A and
 * AAAA. Failures are values.
 */
export function createDnsQueries({ servers, timeoutMs }: ResolverOptions) {
  const dns = new DnsResolver({ timeout: timeoutMs, tries: 2 });
  if (servers.length > 0) dns.setServers(servers);
  const orFailure = <Found>(answer: Promise<Found>) =>
    withTimeout<Found | DnsFailure>(
      timeoutMs * DEADLINE_FACTOR,
      answer.catch((error: unknown) => dnsFailureOf(error)),
      'dns-timeout',
    );
  return {
    addresses: (name: string, family: 4 | 6): Promise<readonly string[] | DnsFailure> =>
      orFailure(family === 4 ? dns.resolve4(name) : dns.resolve6(name)),
    /** The records of this name only, not of its parents. */
    caa: (name: string): Promise<readonly CaaRecord[] | DnsFailure> =>
      orFailure(dns.resolveCaa(name).then((found) => found.flatMap(recordsOf))),
    /** Ends every running query with `dns-timeout`. */
    cancel: () => dns.cancel(),
  };
}

/** Node returns the tag as a property name next to `critical` and `type`. */
function recordsOf({ critical, ...properties }: FoundCaaRecord): CaaRecord[] {
  return Object.entries(properties)
    .filter((property): property is [string, string] => property[0] !== 'type' && typeof property[1] === 'string')
    .map(([tag, value]) => ({ critical: critical !== 0, tag, value }));
}
