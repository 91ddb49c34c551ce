import { isIP, isIPv4, isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';
import * as z from 'zod';
import { SourceSettings } from './sources/registry.ts';

/** What `contact` is until its owner sets it. */
export const exampleContact = 'https://example.org/bot';

/** A wait in hours; fractions are fine. */
const hours = (standard: number, description: string) =>
  z.number().min(0.01).max(87_600).default(standard).describe(`${description} In hours.`);

/** A limit for which 0 means none. */
const limit = (standard: number, description: string) =>
  z.int().min(0).max(100_000).default(standard).describe(`${description} 0 means no limit.`);

const milliseconds = (standard: number, description: string) =>
  z.int().min(1).max(600_000).default(standard).describe(`${description} In milliseconds.`);

const relative = "A relative path is taken from the settings file's folder.";
const path = (description: string) => z.string().min(1).describe(`${description} ${relative}`);

/** It goes into a header and into other people's logs: no white space, no control characters, no parentheses. */
function isContact(text: string): boolean {
  if (!/^[!-'*-~]{1,200}$/.test(text)) return false;
  if (/^https:\/\//i.test(text)) return URL.canParse(text);
  return /^(?:mailto:)?[^@:/\\]+@[^@:/\\.]+(?:\.[^@:/\\.]+)+$/i.test(text);
}

function isCidr(text: string): boolean {
  return isIP(text.split('/')[0] ?? '') !== 0 && ipaddr.isValidCIDR(text);
}

function isDnsServer(text: string): boolean {
  if (isIP(text) !== 0) return true;
  const [, ipv6, ipv4, port] = /^(?:\[([^\]]+)\]|([^:]+))(?::([1-9]\d{0,4}))?$/.exec(text) ?? [];
  return (ipv6 === undefined ? isIPv4(ipv4 ?? '') : isIPv6(ipv6)) && Number(port ?? 53) <= 65_535;
}

const Queue = z
  .strictObject({
    concurrency: z.int().min(1).max(10_000).default(64).describe('Visits under way at a time.'),
    visitsPerSecond: z
      .number()
      .min(0)
      .max(100_000)
      .default(20)
      .describe('Visits begun a second, at most. 0 means no limit.'),
    perAddress: limit(
      4,
      'Visits under way at a time to one IP address; of IPv6, to one /64. What visits of other hosts ask there counts apart, up to as many requests.',
    ),
    perRegistrableDomain: limit(8, 'Visits under way at a time under one registrable domain.'),
    leaseSeconds: z
      .int()
      .min(1)
      .max(86_400)
      .default(120)
      .describe('How long a domain is taken for before another process may take it. In seconds.'),
  })
  .prefault({})
  .describe('How fast, and how many at a time.');

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

const Network = z
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

const Cadence = z
  .strictObject({
    loopsHours: hours(6, 'After a visit that found Loops.'),
    otherHours: hours(168, 'After a visit that found other software.'),
    unidentifiedHours: hours(168, 'After a visit that settled nothing; doubles each time.'),
    aliasHours: hours(720, 'After a redirect to another host.'),
    timeoutHours: hours(3, 'After a time-out; doubles each time.'),
    serverErrorHours: hours(3, 'After a 5xx answer; doubles each time.'),
    connectHours: hours(6, 'After a refused or broken connection; doubles each time.'),
    tlsHours: hours(12, 'After a TLS failure; doubles each time.'),
    dnsFailureHours: hours(12, 'After DNS gave no answer; doubles each time.'),
    nxdomainHours: hours(168, 'After DNS said that the name does not exist; doubles each time.'),
    nxdomainOnceLoopsHours: hours(12, 'The same, for a domain that once was Loops; doubles each time.'),
    maxHours: hours(720, 'Where doubling ends.'),
    deadHours: hours(720, 'Between visits to a dead domain.'),
    rateLimitedHours: hours(1, 'After a 429 answer, at least; longer when its Retry-After says so.'),
    robotsHours: hours(720, 'After robots.txt forbade the visit.'),
    goneHours: hours(2_160, 'After a 410 answer.'),
    forbiddenAddressHours: hours(720, 'After the name led to an address that must not be visited.'),
    jitter: z
      .number()
      .min(0)
      .max(0.9)
      .default(0.1)
      .describe('Every wait is made longer or shorter by up to this part of it, at random: 0.1 is 10 %.'),
    deadAfterFailures: z
      .int()
      .min(0)
      .max(1_000)
      .default(6)
      .describe('A domain is dead after more failed visits in a row than this, and more days than deadAfterDays.'),
    deadAfterDays: z
      .number()
      .min(0)
      .max(3_650)
      .default(7)
      .describe('A domain is dead when its failures span more days than this, and number more than deadAfterFailures.'),
  })
  .prefault({})
  .describe('When a domain is visited next.');

/** Every key of `crawler.config.json`. The one source of the types, the checks and the JSON Schema for editors. */
export const SettingsSchema = z
  .strictObject({
    $schema: z.string().optional().describe('The JSON Schema of this file, for editors.'),
    softwareId: z
      .string()
      .regex(/^[!-~]{1,255}$/, '1 to 255 printable ASCII characters without spaces')
      .default('loops')
      .describe(
        'The software name that a server must give, exactly, to be taken for Loops: printable ASCII, no spaces.',
      ),
    contact: z
      .string()
      .refine(isContact, 'an https URL or a mail address, of printable ASCII without spaces and parentheses')
      .default(exampleContact)
      .describe('Where operators of visited servers find out who is visiting: an https URL or a mail address.'),
    database: path('The SQLite database.').default('data/loopscout.sqlite'),
    sources: z.array(SourceSettings).default([]).describe('Where candidate domains come from.'),
    domains: z
      .strictObject({
        allowSuffixes: z
          .array(z.string().regex(/^[a-z0-9-]+(\.[a-z0-9-]+)*$/, 'a suffix such as test or home.arpa'))
          .default([])
          .describe(
            'Suffixes accepted although they are reserved or not on the public suffix list, such as "test": lower case, A-labels, without a leading dot.',
          ),
      })
      .prefault({})
      .describe('Which domains are accepted.'),
    queue: Queue,
    network: Network,
    robots: z
      .enum(['standard', 'strict', 'off'])
      .default('standard')
      .describe(
        'standard: robots.txt is obeyed, but its * group does not close the public config endpoint. strict: it closes that too. off: it is not read; for servers of your own.',
      ),
    cadence: Cadence,
    export: z
      .strictObject({ dir: path('The folder of the exported files.').default('data/export') })
      .prefault({})
      .describe('The exported datasets.'),
    serve: z
      .strictObject({
        host: z.string().min(1).default('127.0.0.1').describe('The address or host name to listen on.'),
        port: z.int().min(0).max(65_535).default(8080).describe('The port to listen on. 0: any free one.'),
      })
      .prefault({})
      .describe('The API and the pages.'),
    log: z
      .strictObject({
        level: z
          .enum(['trace', 'debug', 'info', 'warn', 'error', 'silent'])
          .default('info')
          .describe('The least severe messages logged.'),
      })
      .prefault({})
      .describe('The log, on stderr.'),
  })
  .meta({ title: 'Loopscout settings', description: 'crawler.config.json' });

type DeepReadonly<T> = T extends object ? { readonly [Key in keyof T]: DeepReadonly<T[Key]> } : T;

/** The settings as the rest of the program takes them: complete, checked, every path absolute, frozen. */
export type Settings = DeepReadonly<Omit<z.output<typeof SettingsSchema>, '$schema'>>;
