import * as z from 'zod';
import { Cadence } from '../model/cadence.ts';
import { SourceSettings } from '../sources/kinds/registry.ts';
import { Network } from './network.ts';
import { Flags, Jobs, Retention, Service } from './service-settings.ts';
import { SiteSettings } from './site-settings.ts';
import { limit, path, relative } from './values.ts';

/** The default of `contact`, which a crawl of the real network refuses. */
export const exampleContact = 'https://example.org/bot';

/** Names for examples and tests (RFC 2606, RFC 6761), and `your.site` from our documents: nobody can be reached there. */
const EXAMPLE_HOST = /^(?:.+\.)?(?:example\.(?:com|net|org)|your\.site|example|test|invalid|localhost)\.?$/i;

/** Whether the host of a contact is an example. */
export function isExampleContact(contact: string): boolean {
  const host = /^https:/i.test(contact) ? new URL(contact).hostname : contact.slice(contact.indexOf('@') + 1);
  return EXAMPLE_HOST.test(host);
}

/** What `contact` may be. */
export const contactForm = 'an https URL or a mail address, of printable ASCII without spaces and parentheses';

/** The contact becomes part of the User-Agent header: no white space, no control characters, no parentheses. */
export function isContact(text: string): boolean {
  if (!/^[!-'*-~]{1,200}$/.test(text)) return false;
  if (/^https:\/\//i.test(text)) return URL.canParse(text);
  return /^(?:mailto:)?[^@:/\\]+@[^@:/\\.]+(?:\.[^@:/\\.]+)+$/i.test(text);
}

/** Settings are shown and published, so they never contain a password. */
function isEngineUrl(text: string): boolean {
  const url = URL.parse(text);
  if (url === null || !/^postgres(?:ql)?:$/.test(url.protocol)) return false;
  return url.password === '' && !url.searchParams.has('password');
}

const Queue = z
  .strictObject({
    concurrency: z.int().min(1).max(10_000).default(64).describe('Concurrent visits.'),
    visitsPerSecond: z
      .number()
      .min(0)
      .max(100_000)
      .default(20)
      .describe('Maximum number of visits started per second. 0 means no limit.'),
    perAddress: limit(
      4,
      'Concurrent visits to one IP address; for IPv6, to one /64. Requests to it as a third-party host have a separate limit of the same size. Per hour, visits make at most 30 contacts with third-party hosts at one address, one per visit and host.',
    ),
    perRegistrableDomain: limit(
      8,
      'Concurrent visits under one registrable domain. Per hour, visits to other domains make at most 10 contacts with its hosts; a further visit that needs one ends with the reason third-party-limit and is repeated after an hour.',
    ),
    engine: z
      .string()
      .refine(
        isEngineUrl,
        'a postgres:// URL without a password; a URL with a password is allowed in LOOPSCOUT_ENGINE_URL',
      )
      .nullable()
      .default(null)
      .describe(
        'URL of the PostgreSQL database through which workers on other machines carry out the visits (loopscout worker), without a password. The variable LOOPSCOUT_ENGINE_URL has precedence, and may contain one. null: none.',
      ),
  })
  .prefault({})
  .describe('Rate and concurrency of visits.');

/** Every key of `crawler.config.json`: types, checks and the JSON Schema for editors derive from it. */
export const SettingsSchema = z
  .strictObject({
    $schema: z.string().optional().describe('The JSON Schema of this file, for editors.'),
    softwareId: z
      .string()
      .regex(
        /^(?![^*?]*[*?])[!-~]{1,255}$/,
        '1 to 255 printable ASCII characters without spaces, "*" and "?": it is compared exactly',
      )
      .default('loops')
      .describe('The exact software name that identifies a Loops server: printable ASCII, no spaces.'),
    contact: z
      .string()
      .refine(isContact, contactForm)
      .default(exampleContact)
      .describe('How operators of visited servers can reach you: an https URL or a mail address.'),
    database: path('The SQLite database.').default('data/loopscout.sqlite'),
    sources: z
      .array(SourceSettings)
      .superRefine(refuseDuplicateSources)
      .default([])
      .describe('Where candidate domains come from.'),
    domains: z
      .strictObject({
        allowSuffixes: z
          .array(z.string().regex(/^[a-z0-9-]+(\.[a-z0-9-]+)*$/, 'a suffix such as test or home.arpa'))
          .default([])
          .describe(
            'Suffixes accepted even if they are reserved or not on the public suffix list, such as "test": lower case, A-labels, without a leading dot.',
          ),
        mostPerRegistrable: limit(
          1_000,
          'Domains under one registrable domain that one source may add, because the owner of a wildcard DNS record can invent any number.',
        ),
        mostPortsPerHost: limit(
          4,
          'Domains with a port that one source may add per host, so that no list can turn the crawl into a port scan. The host without a port does not count.',
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
            `A text file of domains to opt out, one per line, # comments. Each is opted out permanently, as by forget, even if its line is removed later. Read before the sources, and after each change. null: none. ${relative}`,
          ),
      })
      .prefault({})
      .describe('Domains whose owners have opted out.'),
    queue: Queue,
    network: Network,
    robots: z
      .enum(['standard', 'strict', 'off'])
      .default('standard')
      .describe(
        'standard: robots.txt is obeyed, except that its * group does not apply to the public config endpoint. strict: it applies there too. off: robots.txt is not read; for your own servers.',
      ),
    cadence: Cadence,
    retention: Retention,
    flags: Flags,
    jobs: Jobs,
    service: Service,
    export: z
      .strictObject({
        dir: path('The folder of the exported files.').default('data/export'),
        site: z
          .string()
          .min(1)
          .nullable()
          .default(null)
          .describe(
            `The folder into which every export also writes the pages as a static site, for any web host. null: none. ${relative}`,
          ),
        siteUrl: z
          .url({ protocol: /^https?$/, error: 'an http or https URL' })
          .overwrite((url) => url.replace(/\/+$/, ''))
          .nullable()
          .default(null)
          .describe(
            'The URL at which the static site is published, for its sitemap.xml, its 404.html and link previews. null: unknown.',
          ),
        licence: z
          .string()
          .regex(/^(?:[A-Za-z0-9][\w.-]*|https:\/\/[^\s"<>]+)$/, 'an SPDX id such as CC0-1.0, or an https URL')
          .nullable()
          .default(null)
          .describe(
            'The licence under which you publish the data: an SPDX id such as CC0-1.0, or an https URL. It is stated in the exported files and on the page /data. null: none, so that others may not be allowed to reuse the data where databases are protected.',
          ),
        doi: z
          .string()
          .regex(/^10\.\d{4,9}\/[^\s"<>]+$/, 'a DOI such as 10.5281/zenodo.1234567')
          .nullable()
          .default(null)
          .describe(
            'The DOI of the data, if you deposit them in an archive, by which others cite them. It is stated like the licence. null: none.',
          ),
        bulkHours: z
          .number()
          .min(0)
          .max(8_760)
          .default(24)
          .describe(
            'The service rewrites the monthly files of visits and usage at most this often, except after an opt-out; other files are written with every export. In hours.',
          ),
        maxDropPercent: z
          .number()
          .min(0)
          .max(100)
          .default(15)
          .describe(
            'An export is refused when more of the listed instances, and more than one, would disappear within 24 hours. In percent; 100: never.',
          ),
      })
      .prefault({})
      .describe('The exported datasets.'),
    serve: z
      .strictObject({
        host: z.string().min(1).default('127.0.0.1').describe('The address or host name to listen on.'),
        port: z.int().min(0).max(65_535).default(8080).describe('The port to listen on. 0: any free port.'),
        ratePerMinute: limit(
          120,
          'Requests per minute from one IP address; for IPv6, from one /64. The style sheets, scripts and icons of the pages are counted apart, as are /health and /metrics.',
        ),
        trustProxy: z
          .boolean()
          .default(false)
          .describe(
            'Whether the client address is the last one in X-Forwarded-For. Set it only behind a proxy, because clients can forge the header.',
          ),
        submissions: z
          .boolean()
          .default(false)
          .describe(
            'Whether anybody may submit a domain at /add or with POST /api/v1/submissions, which is then visited before all others; pages then have a button "Check again" for known domains.',
          ),
        submissionsPerHour: z
          .int()
          .min(1)
          .max(10_000)
          .default(10)
          .describe('Domains that one IP address may submit or check per hour; for IPv6, one /64.'),
        check: z
          .boolean()
          .default(false)
          .describe(
            'Whether anybody may have a server checked at /check, with GET requests only and never at an address that is not public. The command run offers this, serve does not.',
          ),
      })
      .prefault({})
      .describe('The API and the pages.'),
    site: SiteSettings,
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

/** The settings in force: complete, checked, with absolute paths, frozen. */
export type Settings = DeepReadonly<Omit<z.output<typeof SettingsSchema>, '$schema'>>;

/** Two entries for the same source would share one history, and the second would never be due. */
function refuseDuplicateSources(sources: readonly SourceSettings[], context: z.core.$RefinementCtx): void {
  const seen = new Map<string, number>();
  for (const [index, entry] of sources.entries()) {
    const identity = identityOf(entry);
    const duplicate = seen.get(identity);
    if (duplicate === undefined) seen.set(identity, index);
    else
      context.addIssue({
        code: 'custom',
        path: [index],
        message: `a different source; it is the same as sources[${duplicate}] ("${identity}"): leave one out, or give it another "id"`,
      });
  }
}

function identityOf(entry: SourceSettings): string {
  if (entry.id !== undefined) return entry.id;
  if ('path' in entry) return `${entry.type} ${entry.path}`;
  return 'url' in entry ? `${entry.type} ${normalizedUrl(entry.url)}` : entry.type;
}

/** Normalizes a URL (RFC 3986 section 6.2.2), and removes the fragment, an empty query and a trailing dot of the host. */
function normalizedUrl(written: string): string {
  const url = URL.parse(written);
  if (url === null) return written;
  url.hash = '';
  url.hostname = url.hostname.replace(/\.$/, '');
  return url.href.replace(/\?$/, '').replace(/%[0-9a-f]{2}/gi, (code) => {
    const character = String.fromCharCode(Number.parseInt(code.slice(1), 16));
    return /[A-Za-z0-9._~-]/.test(character) ? character : code.toUpperCase();
  });
}
