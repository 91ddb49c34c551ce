import * as z from 'zod';

const hours = (standard: number, description: string) =>
  z.number().min(0.01).max(87_600).default(standard).describe(`${description} In hours.`);

/** `cadence` of the settings: how long after a visit the next is due, and when a domain is dead. */
export const Cadence = z
  .strictObject({
    loopsHours: hours(6, 'After a visit that found Loops.'),
    otherHours: hours(168, 'After a visit that found other software.'),
    unidentifiedHours: hours(168, 'After a visit that settled nothing; doubles each time.'),
    unidentifiedOnceLoopsHours: hours(12, 'The same, for a domain that once was Loops; doubles each time.'),
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
export type Cadence = Readonly<z.infer<typeof Cadence>>;
