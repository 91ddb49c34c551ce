import * as z from 'zod';
import { Cadence } from '../model/cadence.ts';
import { SourceSettings } from '../sources/kinds/registry.ts';
import { Network } from './network.ts';
import { Flags, Jobs, Retention, Service } from './upkeep.ts';
import { limit, path, relative } from './values.ts';

/** What `contact` is until its owner sets it. */
export const exampleContact = 'https://example.org/bot';

/** It goes into a header and into other people's logs: no white space, no control characters, no parentheses. */
function isContact(text: string): boolean {
  if (!/^[!-'*-~]{1,200}$/.test(text)) return false;
  if (/^https:\/\//i.test(text)) return URL.canParse(text);
  return /^(?:mailto:)?[^@:/\\]+@[^@:/\\.]+(?:\.[^@:/\\.]+)+$/i.test(text);
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

/** Every key of `crawler.config.json`. The one source of the types, the checks and the JSON Schema for editors. */
export const SettingsSchema = z
  .strictObject({
    $schema: z.string().optional().describe('The JSON Schema of this file, for editors.'),
    softwareId: z
      .string()
      .regex(
        /^(?![^*?]*[*?])[!-~]{1,255}$/,
        '1 to 255 printable ASCII characters without spaces, "*" and "?": it is compared to the letter',
      )
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
    sources: z
      .array(SourceSettings)
      .superRefine(refuseTwins)
      .default([])
      .describe('Where candidate domains come from.'),
    domains: z
      .strictObject({
        allowSuffixes: z
          .array(z.string().regex(/^[a-z0-9-]+(\.[a-z0-9-]+)*$/, 'a suffix such as test or home.arpa'))
          .default([])
          .describe(
            'Suffixes accepted although they are reserved or not on the public suffix list, such as "test": lower case, A-labels, without a leading dot.',
          ),
        mostPerRegistrable: limit(
          1_000,
          'Domains under one registrable domain that one source may bring; who answers for every name below theirs can make up as many as they like.',
        ),
        mostPortsPerHost: limit(
          4,
          'Domains of one host that one source may bring under ports that they name, so that no list makes a port scan of us; the host without a port comes in beside them.',
        ),
      })
      .prefault({})
      .describe('Which domains are accepted.'),
    optOut: z
      .strictObject({
        file: z
          .string()
          .min(1)
          .nullable()
          .default(null)
          .describe(
            `A text file of domains whose owners asked to be left alone, one a line, # comments. Each is opted out for good, as by forget: a line that is taken away later brings none back. Read before the sources, and when it changed. null: none. ${relative}`,
          ),
      })
      .prefault({})
      .describe('Who has asked to be left alone.'),
    queue: Queue,
    network: Network,
    robots: z
      .enum(['standard', 'strict', 'off'])
      .default('standard')
      .describe(
        'standard: robots.txt is obeyed, but its * group does not close the public config endpoint. strict: it closes that too. off: it is not read; for servers of your own.',
      ),
    cadence: Cadence,
    retention: Retention,
    flags: Flags,
    jobs: Jobs,
    service: Service,
    export: z
      .strictObject({
        dir: path('The folder of the exported files.').default('data/export'),
        bulkHours: z
          .number()
          .min(0)
          .max(8_760)
          .default(24)
          .describe(
            'The service writes the monthly files of visits and usage anew at most this often; the other files are not held up by it. In hours.',
          ),
        maxDropPercent: z
          .number()
          .min(0)
          .max(100)
          .default(15)
          .describe(
            'An export that would make more of the listed instances disappear is kept back. In percent; 100: none is.',
          ),
      })
      .prefault({})
      .describe('The exported datasets.'),
    serve: z
      .strictObject({
        host: z.string().min(1).default('127.0.0.1').describe('The address or host name to listen on.'),
        port: z.int().min(0).max(65_535).default(8080).describe('The port to listen on. 0: any free one.'),
        ratePerMinute: limit(120, 'Requests answered a minute to one IP address; of IPv6, to one /64.'),
        trustProxy: z
          .boolean()
          .default(false)
          .describe(
            'Whether a proxy stands in front, so that the address that asks is the last one in X-Forwarded-For. Without a proxy anybody could write any address there.',
          ),
        submissions: z
          .boolean()
          .default(false)
          .describe('Whether anybody may hand in a domain by POST /api/v1/submissions, to have it visited at once.'),
        submissionsPerHour: z
          .int()
          .min(1)
          .max(10_000)
          .default(10)
          .describe('Domains that one IP address may hand in an hour; of IPv6, one /64.'),
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

/** Of two entries that are the same source, the history would be one, and the second would never be read. */
function refuseTwins(sources: readonly SourceSettings[], context: z.core.$RefinementCtx): void {
  const seen = new Map<string, number>();
  for (const [index, entry] of sources.entries()) {
    const name = nameOf(entry);
    const twin = seen.get(name);
    if (twin === undefined) seen.set(name, index);
    else
      context.addIssue({
        code: 'custom',
        path: [index],
        message: `a source of its own; it is the same as sources.${twin} ("${name}"): leave one out, or give it another "id"`,
      });
  }
}

function nameOf(entry: SourceSettings): string {
  if (entry.id !== undefined) return entry.id;
  if ('path' in entry) return `${entry.type} ${entry.path}`;
  return 'url' in entry ? `${entry.type} ${oneSpellingOf(entry.url)}` : entry.type;
}

/** A URL in one of its spellings: host, port and scheme as URLs are written, no root label, nothing encoded that need not be (RFC 3986 section 6.2.2). */
function oneSpellingOf(written: string): string {
  const url = URL.parse(written);
  if (url === null) return written;
  url.hash = '';
  url.hostname = url.hostname.replace(/\.$/, '');
  return url.href.replace(/\?$/, '').replace(/%[0-9a-f]{2}/gi, (code) => {
    const character = String.fromCharCode(Number.parseInt(code.slice(1), 16));
    return /[A-Za-z0-9._~-]/.test(character) ? character : code.toUpperCase();
  });
}
