import { REASONS } from '../../../record/reason.ts';
import { info, pass, warn } from '../../judgement.ts';
import type { Rule } from '../../rule.ts';

/** Whether the host can be reached over IPv6. */
export const dnsIpv6: Rule = {
  id: 'dns-ipv6',
  area: 'dns',
  worst: 'warn',
  title: 'The name has an IPv6 address',
  checks:
    'Notes a name without an AAAA record. Warns when the name servers do not answer the question for one, which makes everybody wait.',
  why: 'Many mobile networks are IPv6 inside, and reach IPv4 by way of a translator that is slower. A question that is never answered costs every visitor seconds.',
  sources: ['RFC 3596', 'RFC 4074'],
  cure: 'Add an AAAA record, once the server listens on IPv6:\n\n    loops.example.  3600  IN  AAAA  YOUR-IPV6-ADDRESS',
  judge({ dns: { name, ipv4, ipv6 } }) {
    if (ipv6.addresses.length > 0) return pass(`IPv6: ${ipv6.addresses.slice(0, 4).join(', ')}.`);
    if (ipv4.addresses.length === 0) return null;
    if (ipv6.failure === 'dns-no-address' || ipv6.failure === null)
      return info(`${name} has no AAAA record: it is reached over IPv4 alone.`);
    return warn(
      `The question for the AAAA record of ${name} is not answered (${REASONS[ipv6.failure].means}), while that for A is answered.`,
      `Name servers must say that there is no AAAA record, and not fail. See what each of them says, and ask the DNS provider why:\n\n    dig +trace AAAA ${name}`,
    );
  },
};
