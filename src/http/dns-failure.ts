import type { HttpFailure } from './failure.ts';

export type DnsFailure = Extract<HttpFailure, `dns-${string}`>;

const BY_CODE: Readonly<Record<string, DnsFailure>> = {
  ENOTFOUND: 'dns-nxdomain',
  ENODATA: 'dns-no-address',
  ESERVFAIL: 'dns-servfail',
  EREFUSED: 'dns-refused',
  ECONNREFUSED: 'dns-refused',
  ETIMEOUT: 'dns-timeout',
  ETIMEDOUT: 'dns-timeout',
  ECANCELLED: 'dns-timeout',
  // An invalid name: nobody can have registered it.
  EBADNAME: 'dns-nxdomain',
};

/** The failure code for an error of a DNS query. */
export function dnsFailureOf(error: unknown): DnsFailure {
  return BY_CODE[(error as NodeJS.ErrnoException).code ?? ''] ?? 'dns-servfail';
}
