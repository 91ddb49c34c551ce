import type { DnsFailure } from '../../../http/dns-failure.ts';
import type { DnsEvidence } from '../../evidence.ts';
import { fail, info, pass } from '../../judgement.ts';
import type { Rule } from '../../rule.ts';

/** What each way to fail means, and what to do about it. */
const FAILURES: Readonly<Record<DnsFailure, { detail: (name: string) => string; cure: (name: string) => string }>> = {
  'dns-nxdomain': {
    detail: (name) => `The name ${name} does not exist in the DNS.`,
    cure: (name) =>
      `See whether the registration of the domain has lapsed, and whether its name servers are set at the registrar. If both are well, the zone has no record of this name; add one, with the address of the server:\n\n    ${name}.  3600  IN  A  YOUR-IPV4-ADDRESS`,
  },
  'dns-no-address': {
    detail: (name) => `The name ${name} exists in the DNS, but has neither an A nor an AAAA record.`,
    cure: (name) =>
      `Add the address of the server to the zone:\n\n    ${name}.  3600  IN  A  YOUR-IPV4-ADDRESS\n    ${name}.  3600  IN  AAAA  YOUR-IPV6-ADDRESS`,
  },
  'dns-servfail': {
    detail: (name) => `The question for ${name} ends in SERVFAIL: its name servers fail, or DNSSEC does not hold.`,
    cure: (name) =>
      `Most often a DS record at the registrar is left over from former name servers, or signatures have expired. Compare the two answers; if the second one has an address, it is DNSSEC: take the DS record away at the registrar, or sign the zone again. If both fail, the name servers do not know the zone.\n\n    dig ${name}\n    dig +cd ${name}`,
  },
  'dns-refused': {
    detail: (name) => `The name servers refuse to answer for ${name}.`,
    cure: (name) =>
      `The domain points at name servers that do not serve its zone. Set those of your DNS provider at the registrar, or add the zone at the provider that is set there:\n\n    dig +trace ${name}`,
  },
  'dns-timeout': {
    detail: (name) => `The name servers of ${name} do not answer in time.`,
    cure: (name) =>
      `See whether the name servers run and let port 53 in, UDP and TCP; each that is named must answer:\n\n    dig +trace ${name}`,
  },
};

const PRECEDENCE: readonly DnsFailure[] = ['dns-nxdomain', 'dns-timeout', 'dns-refused', 'dns-servfail'];

/** Whether the name has addresses. */
export const dnsResolves: Rule = {
  id: 'dns-resolves',
  area: 'dns',
  worst: 'fail',
  title: 'The name has an address in the DNS',
  checks:
    'Asks for the A and AAAA records of the name. Fails when neither question is answered with an address, and says which way it failed.',
  why: 'Without an address nobody can connect: no client, no other server, no directory.',
  sources: ['RFC 1034', 'RFC 1035', 'RFC 3596'],
  cure: 'Add the address of the server to the zone of the domain:\n\n    loops.example.  3600  IN  A  YOUR-IPV4-ADDRESS',
  judge({ dns, own }) {
    const addresses = [...dns.ipv4.addresses, ...dns.ipv6.addresses];
    if (addresses.length > 0)
      return pass(
        `${dns.name} has ${addresses.length === 1 ? 'the address' : 'the addresses'} ${addresses.slice(0, 6).join(', ')}.`,
      );
    if (!own.dns)
      return info(
        `This machine is offline: the name servers that it uses answer nothing, for other names neither. This says nothing of ${dns.name}; check again when they do.`,
      );
    const { detail, cure } = FAILURES[failureOf(dns)];
    return fail(detail(dns.name), cure(dns.name));
  },
};

/** Why there is no address: that one family has none says nothing of the other. */
function failureOf({ ipv4, ipv6 }: DnsEvidence): DnsFailure {
  return PRECEDENCE.find((failure) => failure === ipv4.failure || failure === ipv6.failure) ?? 'dns-no-address';
}
