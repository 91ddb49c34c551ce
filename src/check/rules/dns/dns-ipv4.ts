import { REASONS } from '../../../record/reason.ts';
import { pass, warn } from '../../judgement.ts';
import type { Rule } from '../../rule.ts';

/** Whether the host can be reached over IPv4. */
export const dnsIpv4: Rule = {
  id: 'dns-ipv4',
  area: 'dns',
  worst: 'warn',
  title: 'The name has an IPv4 address',
  checks: 'Warns when the name has IPv6 addresses and no A record.',
  why: 'More than half of the networks that clients and other servers are in have no IPv6. To them, an IPv6-only server is down.',
  sources: ['RFC 1035 section 3.4.1', 'RFC 6555'],
  cure: 'Add an A record with the IPv4 address of the server:\n\n    loops.example.  3600  IN  A  YOUR-IPV4-ADDRESS',
  judge({ dns: { name, ipv4, ipv6 } }) {
    if (ipv4.addresses.length > 0) return pass(`IPv4: ${ipv4.addresses.slice(0, 4).join(', ')}.`);
    if (ipv6.addresses.length === 0) return null;
    if (ipv4.failure === 'dns-no-address' || ipv4.failure === null) {
      return warn(
        `${name} has IPv6 addresses alone: nobody reaches it whose network has IPv4 only.`,
        `Add an A record:\n\n    ${name}.  3600  IN  A  YOUR-IPV4-ADDRESS\n\nA server that has no IPv4 address can borrow one: a proxy or a small rented server that has both, in front of it.`,
      );
    }
    return warn(
      `The question for the A record of ${name} is not answered (${REASONS[ipv4.failure].means}), while that for AAAA is answered.`,
      `The name servers must answer both questions. See what each of them says, and ask the DNS provider why:\n\n    dig +trace A ${name}`,
    );
  },
};
