import { nameAll } from '../../documents/name-all.ts';
import { fail, pass } from '../../judgement.ts';
import type { Rule } from '../../rule.ts';

/** Whether every address is one of the public internet. */
export const dnsPublic: Rule = {
  id: 'dns-public',
  area: 'dns',
  worst: 'fail',
  title: 'Every address in the DNS is a public one',
  checks:
    'Compares the addresses with the blocks that are no part of the public internet: private, shared by carriers (CGNAT), loopback, documentation and others. One is enough to fail.',
  why: 'Nobody outside can connect to such an address. Directories and other servers refuse the whole name because of one, as it could lead them into their own network.',
  sources: ['RFC 1918', 'RFC 6598', 'RFC 6890', 'RFC 4193', 'IANA special-purpose address registries'],
  cure: 'Put the public address of the server into the zone, and take the other one out. Behind a home router or CGNAT, a tunnel or a small rented server in front gives it one.',
  judge({ dns }) {
    const addresses = [...dns.ipv4.addresses, ...dns.ipv6.addresses];
    if (addresses.length === 0) return null;
    const forbidden = [...dns.ipv4.forbidden, ...dns.ipv6.forbidden];
    if (forbidden.length === 0) return pass('All addresses are public.');
    const named = forbidden.map(({ address, what, source }) => `${address} (${what}, ${source})`);
    const records = forbidden.map(
      ({ address }) => `    ${dns.name}.  IN  ${address.includes(':') ? 'AAAA' : 'A'}  ${address}`,
    );
    return fail(
      `${forbidden.length === addresses.length ? 'No address is public' : 'Not every address is public'}: ${nameAll(named)}.`,
      [
        `Take ${forbidden.length === 1 ? 'this record' : 'these records'} out of the public zone, and put the public address of the server there instead. A name server for your own network may keep them.`,
        '',
        ...records.slice(0, 10),
        ...(forbidden.some(({ source }) => source === 'RFC 6598' || source === 'RFC 1918')
          ? [
              '',
              'Where the connection has no public address of its own (a home router, CGNAT), forward port 443 from one that has: a small rented server, or a tunnel.',
            ]
          : []),
      ].join('\n'),
    );
  },
};
