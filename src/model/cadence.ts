import * as z from 'zod';

const hours = (standard: number, description: string) =>
  z.number().min(0.01).max(87_600).default(standard).describe(`${description} In hours.`);

/** The `cadence` setting: the wait between visits, and when a domain is dead. */
export const Cadence = z
  .strictObject({
    loopsHours: hours(6, 'Wait after a visit that found Loops.'),
    otherHours: hours(168, 'Wait after a visit that found other software.'),
    unidentifiedHours: hours(168, 'Wait after a visit that could not identify the host; doubles each time.'),
    unidentifiedOnceLoopsHours: hours(
      12,
      'Wait after a visit that could not identify a host that once ran Loops; doubles each time.',
    ),
    aliasHours: hours(720, 'Wait after a redirect to another host.'),
    timeoutHours: hours(3, 'Wait after a time-out; doubles each time.'),
    serverErrorHours: hours(3, 'Wait after a 5xx response or one that is not valid HTTP; doubles each time.'),
    connectHours: hours(6, 'Wait after a refused or broken connection, or without a route; doubles each time.'),
    tlsHours: hours(12, 'Wait after a TLS failure; doubles each time.'),
    dnsFailureHours: hours(12, 'Wait after a failed DNS lookup; doubles each time.'),
    nxdomainHours: hours(168, 'Wait after an NXDOMAIN answer from DNS; doubles each time.'),
    nxdomainOnceLoopsHours: hours(
      12,
      'Wait after an NXDOMAIN answer for a domain that once ran Loops; doubles each time.',
    ),
    maxHours: hours(720, 'Upper limit of doubled waits and of Retry-After.'),
    deadHours: hours(720, 'Wait between visits to a dead domain.'),
    rateLimitedHours: hours(1, 'Minimum wait after a 429 response; a longer Retry-After takes precedence.'),
    robotsHours: hours(720, 'Wait after robots.txt forbade the visit.'),
    goneHours: hours(2_160, 'Wait after a 410 response.'),
    forbiddenAddressHours: hours(720, 'Wait after the name resolved to a forbidden address.'),
    jitter: z
      .number()
      .min(0)
      .max(0.9)
      .default(0.1)
      .describe(
        'Each wait is randomly lengthened or shortened by up to this share: 0.1 is 10 %. Waits set by Retry-After are not varied. A first wait of a day or more, of a domain that was added with many others, is 10 % to 110 % of the interval.',
      ),
    deadAfterFailures: z
      .int()
      .min(0)
      .max(1_000)
      .default(6)
      .describe(
        'A domain is dead after more than this many failed visits in a row, over more than deadAfterDays days.',
      ),
    deadAfterDays: z
      .number()
      .min(0)
      .max(3_650)
      .default(7)
      .describe(
        'A domain is dead when it has failed for more than this many days, more than deadAfterFailures times in a row.',
      ),
  })
  .prefault({})
  .describe('Intervals between visits to a domain.');
export type Cadence = Readonly<z.infer<typeof Cadence>>;

/** The names of the waits between visits; their upper limit is not one of them. */
export type IntervalName = Exclude<Extract<keyof Cadence, `${string}Hours`>, 'maxHours'>;

/** Every wait, in the order of the page about the crawler, and whether it doubles with each further visit of the same outcome. */
export const INTERVALS: Readonly<Record<IntervalName, 'fixed' | 'doubles'>> = {
  loopsHours: 'fixed',
  otherHours: 'fixed',
  unidentifiedHours: 'doubles',
  unidentifiedOnceLoopsHours: 'doubles',
  aliasHours: 'fixed',
  timeoutHours: 'doubles',
  serverErrorHours: 'doubles',
  connectHours: 'doubles',
  tlsHours: 'doubles',
  dnsFailureHours: 'doubles',
  nxdomainHours: 'doubles',
  nxdomainOnceLoopsHours: 'doubles',
  robotsHours: 'fixed',
  rateLimitedHours: 'fixed',
  goneHours: 'fixed',
  forbiddenAddressHours: 'fixed',
  deadHours: 'fixed',
};
