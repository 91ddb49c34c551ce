import * as z from 'zod';

const hours = (standard: number, description: string) =>
  z.number().min(0.01).max(87_600).default(standard).describe(`${description} In hours.`);

/** The `cadence` setting: the wait between visits, and when a domain is dead. */
export const Cadence = z
  .strictObject({
    loopsHours: hours(6, 'Wait after a visit that found Loops.'),
    confirmMinutes: z
      .number()
      .min(1)
      .max(1_440)
      .default(10)
      .describe(
        'Wait after the first failed visit of a listed instance; if the next one fails too, it is down. In minutes.',
      ),
    downFirstDayHours: hours(
      1,
      'Wait between visits of a listed instance that is down and returns nothing or only 5xx responses, in the first 24 hours.',
    ),
    downHours: hours(
      6,
      'Wait between visits of a listed instance that is down, after the first 24 hours, or if it answers but cannot be identified, or with 429.',
    ),
    declinedInstanceHours: hours(
      24,
      'Wait after a listed instance declined a visit (except with 429 while it is down), or a limit of the crawler ended it; a Retry-After takes precedence.',
    ),
    declinedInstanceDays: z
      .number()
      .min(0)
      .max(3_650)
      .default(7)
      .describe('A listed instance that has only declined visits for more than this many days leaves the directory.'),
    otherHours: hours(168, 'Wait after a visit that found other software.'),
    unidentifiedHours: hours(168, 'Wait after a visit that could not identify the host; doubles each time.'),
    aliasHours: hours(720, 'Wait after a redirect to another host.'),
    timeoutHours: hours(3, 'Wait after a time-out; doubles each time.'),
    serverErrorHours: hours(3, 'Wait after a 5xx response or one that is not valid HTTP; doubles each time.'),
    connectHours: hours(6, 'Wait after a refused or broken connection, or without a route; doubles each time.'),
    tlsHours: hours(12, 'Wait after a TLS failure; doubles each time.'),
    dnsFailureHours: hours(12, 'Wait after a failed DNS lookup; doubles each time.'),
    nxdomainHours: hours(168, 'Wait after an NXDOMAIN answer from DNS; doubles each time.'),
    maxHours: hours(720, 'Upper limit of doubled waits and of Retry-After.'),
    deadInstanceHours: hours(24, 'Wait between visits to an instance that has been dead for less than 90 days.'),
    deadHours: hours(720, 'Wait between visits to any other dead domain.'),
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
        'Each wait is randomly lengthened or shortened by up to this share: 0.1 is 10 %. Waits set by Retry-After are not varied, and waits of listed instances are not lengthened beyond a day. A first wait of a day or more, of a domain that was added with many others, is 10 % to 110 % of the interval.',
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
export type IntervalName = Exclude<Extract<keyof Cadence, `${string}Hours` | `${string}Minutes`>, 'maxHours'>;

export function intervalHours(cadence: Cadence, name: IntervalName): number {
  return name === 'confirmMinutes' ? cadence[name] / 60 : cadence[name];
}

/** Every wait, in the order of the page about the crawler, and whether it doubles with each further visit of the same outcome. */
export const INTERVALS: Readonly<Record<IntervalName, 'fixed' | 'doubles'>> = {
  loopsHours: 'fixed',
  confirmMinutes: 'fixed',
  downFirstDayHours: 'fixed',
  downHours: 'fixed',
  declinedInstanceHours: 'fixed',
  deadInstanceHours: 'fixed',
  otherHours: 'fixed',
  unidentifiedHours: 'doubles',
  aliasHours: 'fixed',
  timeoutHours: 'doubles',
  serverErrorHours: 'doubles',
  connectHours: 'doubles',
  tlsHours: 'doubles',
  dnsFailureHours: 'doubles',
  nxdomainHours: 'doubles',
  robotsHours: 'fixed',
  rateLimitedHours: 'fixed',
  goneHours: 'fixed',
  forbiddenAddressHours: 'fixed',
  deadHours: 'fixed',
};
