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
    connectMs: milliseconds(5_000, 'For a connection to stand, and as long again for TLS.'),
    responseMs: milliseconds(10_000, 'For an answer to begin, and as long again for its body.'),
    visitMs: milliseconds(
      30_000,
      'For a whole visit, all its requests and redirects, without the waits that we impose ourselves.',
    ),
  })
  .prefault({})
  .describe('How long another server may take.');

/** `network`. */
export const Network = z
  .strictObject({
    allow: z
      .array(z.string().refine(isCidr, 'a CIDR block such as 127.0.0.1/32 or fd00::/8'))
      .default([])
      .describe('CIDR blocks that may be visited although they are private, loopback or reserved.'),
    dnsServers: z
      .array(z.string().refine(isDnsServer, 'ADDRESS[:PORT] such as 192.0.2.53, 127.0.0.1:5353 or [::1]:53'))
      .default([])
      .describe('DNS servers to ask, ADDRESS[:PORT], port 53 unless given. Empty: those of the system.'),
    dnsTimeoutMs: milliseconds(
      2_000,
      'For one DNS query, before it is asked again. A name is given up after four times this.',
    ),
    dnsConcurrency: z
      .int()
      .min(1)
      .max(10_000)
      .default(100)
      .describe('Names looked up at a time; of too many, a resolver loses some.'),
    caFile: z
      .string()
      .min(1)
      .nullable()
      .default(null)
      .describe(`A PEM file of certificate authorities, added to the system's. null: none added. ${relative}`),
    timeouts: Timeouts,
    maxBodyBytes: z
      .int()
      .min(1_024)
      .max(16_777_216)
      .default(262_144)
      .describe('The longest response body read, after decompression. In bytes.'),
  })
  .prefault({})
  .describe('How other servers are reached.');
