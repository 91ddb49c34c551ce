import * as z from 'zod';

/** The keys common to all kinds of sources. */
export const commonSourceSettings = {
  id: z
    .string()
    .regex(/^[a-z0-9][a-z0-9._-]{0,63}$/, '1 to 64 lower-case letters, digits, ".", "_" and "-"')
    .optional()
    .describe(
      'Identifies the source in the history. Default: the kind and its target, so that the history restarts when the target changes.',
    ),
  note: z.string().max(2_000).optional().describe('A comment for people; ignored by Loopscout.'),
  enabled: z.boolean().default(true).describe('Whether the source is read.'),
  everyHours: z
    .number()
    .min(1)
    .max(8_760)
    .default(24)
    .describe(
      'Hours from one run to the next; after a failed or partial run, fewer, unless the server asks for more. A file is read at the start and whenever it has changed.',
    ),
  most: z
    .int()
    .min(1)
    .max(10_000_000)
    .default(100_000)
    .describe(
      'Maximum number of its domains that wait for their first visit at a time; up to 1,000 that it reports as Loops wait in addition.',
    ),
};

function isWebUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password, hostname } = new URL(text);
  return /^https?:$/.test(protocol) && username === '' && password === '' && hostname !== '';
}

/** An http or https URL in an entry of `sources`. */
export function webUrl(description: string) {
  return z
    .string()
    .max(2_000)
    .refine(isWebUrl, 'an https or http URL without user name and password')
    .describe(description);
}

function isServerUrl(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && url.pathname === '/' && !/[?#]/.test(text);
}

/** The URL of a server, without a path: the kind adds the paths. */
export function serverUrl(description: string) {
  return webUrl(description).refine(
    (text) => !isWebUrl(text) || isServerUrl(text),
    'the address of the server alone, without path and query, such as https://social.example: the type determines the path',
  );
}

/** The keys of all kinds that request remote servers. */
export const webSourceSettings = {
  ...commonSourceSettings,
  maxBytes: z
    .int()
    .min(1_024)
    .max(1_073_741_824)
    .default(67_108_864)
    .describe('Maximum bytes per run, decompressed; entries before the limit are kept.'),
  maxPages: z.int().min(1).max(100_000).default(1_000).describe('Maximum pages per run.'),
  maxMinutes: z.number().min(0.01).max(1_440).default(30).describe('Maximum duration of a run, in minutes.'),
  pauseSeconds: z
    .number()
    .min(0)
    .max(600)
    .default(1)
    .describe('Minimum pause between two pages, in seconds; a longer Crawl-delay in robots.txt takes precedence.'),
};

/** The limits of a run of a remote source, from its settings. */
export interface WebLimits {
  readonly maxBytes: number;
  readonly maxPages: number;
  readonly maxMinutes: number;
  readonly pauseSeconds: number;
}

/** The software to request from a directory of many kinds of servers. */
export const softwareSetting = z
  .string()
  .regex(/^[a-z0-9][a-z0-9._-]{0,63}$/, 'a name of software in lower case')
  .nullable()
  .default('loops')
  .describe('The software to list, as the directory names it; null for all software.');

/** The software of all domains of a list. */
export const listedSoftware = z
  .string()
  .regex(/^[a-z0-9][a-z0-9._-]{0,63}$/, 'a name of software in lower case')
  .optional()
  .describe(
    'The software of all its domains, unless an entry names its own: "loops" for a list of Loops servers, which are then visited before others.',
  );
