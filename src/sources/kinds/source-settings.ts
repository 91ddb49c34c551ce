import * as z from 'zod';

/** The keys that an entry of `sources` has whatever its kind. */
export const commonSourceSettings = {
  id: z
    .string()
    .regex(/^[a-z0-9][a-z0-9._-]{0,63}$/, '1 to 64 small letters, digits, ".", "_" and "-"')
    .optional()
    .describe(
      'Its name in the history, which is kept by it. Unless given, the kind and what it reads; then it begins anew when that changes.',
    ),
  note: z.string().max(2_000).optional().describe('For people; nothing reads it.'),
  enabled: z.boolean().default(true).describe('Whether it is read.'),
  everyHours: z
    .number()
    .min(1)
    .max(8_760)
    .default(24)
    .describe('How long after one reading the next is due. A file is read at the start and when it changed. In hours.'),
  most: z
    .int()
    .min(1)
    .max(10_000_000)
    .default(100_000)
    .describe('How many domains that it brought may wait for their first visit at a time.'),
};

function isWebUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password, hostname } = new URL(text);
  return /^https?:$/.test(protocol) && username === '' && password === '' && hostname !== '';
}

/** The address of something on the web, as an entry of `sources` gives it. */
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

/** The address of a server, of which its kind knows the paths. */
export function serverUrl(description: string) {
  return webUrl(description).refine(
    (text) => !isWebUrl(text) || isServerUrl(text),
    'the address of the server alone, without path and query, such as https://social.example: what is asked of it goes by the kind',
  );
}

/** The keys of every kind that asks somebody's server. */
export const webSourceSettings = {
  ...commonSourceSettings,
  maxBytes: z
    .int()
    .min(1_024)
    .max(1_073_741_824)
    .default(67_108_864)
    .describe('A reading ends after so many bytes, decompressed; what came before is kept.'),
  maxPages: z.int().min(1).max(100_000).default(1_000).describe('A reading ends after so many pages.'),
  maxMinutes: z.number().min(0.01).max(1_440).default(30).describe('A reading ends after this time. In minutes.'),
  pauseSeconds: z
    .number()
    .min(0)
    .max(600)
    .default(1)
    .describe('The least time between two pages; a longer Crawl-delay in robots.txt is kept to. In seconds.'),
};

/** What a reading goes by, of the settings of a kind that asks somebody's server. */
export interface WebLimits {
  readonly maxBytes: number;
  readonly maxPages: number;
  readonly maxMinutes: number;
  readonly pauseSeconds: number;
}

/** Which servers are wanted of a directory that knows many kinds. */
export const softwareSetting = z
  .string()
  .regex(/^[a-z0-9][a-z0-9._-]{0,63}$/, 'a name of software in small letters')
  .nullable()
  .default('loops')
  .describe('The software whose servers are asked for, in the words of the directory; null for all there are.');
