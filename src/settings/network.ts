import { isIP, isIPv4, isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';
import * as z from 'zod';
import { milliseconds, relative } from './values.ts';

function isCidr(text: string): boolean {
  return isIP(text.split('/')[0] ?? '') !== 0 && ipaddr.isValidCIDR(text);
}

function isDnsServer(text: string): boolean {
  if (isIP(text) !== 0) return true;
  const [, ipv6, ipv4, port] = /^(?:\[([^\]]+)\]|([^:]+))(?::([1-9]\d{0,4}))?$/.exec(text) ?? [];
  return (ipv6 === undefined ? isIPv4(ipv4 ?? '') : isIPv6(ipv6)) && Number(port ?? 53) <= 65_535;
}

const Timeouts = z
  .strictObject({
    connectMs: milliseconds(5_000, 'Time limit for connecting, and again for the TLS handshake.'),
    responseMs: milliseconds(10_000, 'Time limit for the start of a response, and again for its body.'),
    visitMs: milliseconds(
      30_000,
      'Time limit for a whole visit with all requests and redirects, without our own waiting times.',
    ),
  })
  .prefault({})
  .describe('Time limits for other servers.');

/** `network`. */
export const Network = z
  .strictObject({
    allow: z
      .array(z.string().refine(isCidr, 'a CIDR block such as 127.0.0.1/32 or fd00::/8'))
      .default([])
      .describe('CIDR blocks that may be visited even if they are private, loopback or reserved.'),
    dnsServers: z
      .array(z.string().refine(isDnsServer, 'ADDRESS[:PORT] such as 192.0.2.53, 127.0.0.1:5353 or [::1]:53'))
      .default([])
      .describe('DNS servers, ADDRESS[:PORT], default port 53. Empty: the servers of the system.'),
    dnsTimeoutMs: milliseconds(
      2_000,
      'Time limit for one DNS query before it is repeated. A name fails after at most five times this.',
    ),
    dnsConcurrency: z
      .int()
      .min(1)
      .max(10_000)
      .default(100)
      .describe('Concurrent DNS lookups; with too many, a resolver drops some.'),
    caFile: z
      .string()
      .min(1)
      .nullable()
      .default(null)
      .describe(`A PEM file of certificate authorities, added to the system's. null: none. ${relative}`),
    countryDatabase: z
      .string()
      .min(1)
      .nullable()
      .default(null)
      .describe(
        `A MaxMind DB file (.mmdb) of countries, such as geo-whois-asn-country.mmdb of the npm package @ip-location-db/geo-whois-asn-country-mmdb (CC0), for the country of each visited address. It is read again when it is replaced. null: countries are unknown. ${relative}`,
      ),
    asnDatabase: z
      .string()
      .min(1)
      .nullable()
      .default(null)
      .describe(
        `A MaxMind DB file (.mmdb) of autonomous systems, such as GeoLite2-ASN (GeoLite licence) or DB-IP ASN Lite (CC BY 4.0), for the network of each visited address. It is read again when it is replaced. null: networks are unknown. ${relative}`,
      ),
    localAddress: z
      .string()
      .refine((text) => isIP(text) !== 0, 'an IP address of this machine')
      .nullable()
      .default(null)
      .describe(
        'The local IP address from which servers are contacted; servers are then contacted over its address family only. null: chosen by the system.',
      ),
    timeouts: Timeouts,
    maxBodyBytes: z
      .int()
      .min(1_024)
      .max(16_777_216)
      .default(262_144)
      .describe('Size limit of a response body after decompression. In bytes.'),
  })
  .prefault({})
  .describe('How other servers are contacted.');
