import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nextVisit } from '../../../src/crawl/schedule/cadence.ts';
import { REASONS, type Reason } from '../../../src/model/reason.ts';
import type { Verdict } from '../../../src/model/verdict.ts';
import { SettingsSchema } from '../../../src/settings/schema.ts';
import { DAY_MS, HOUR_MS, standardPolicy } from './standard-policy.ts';

const now = Date.UTC(2026, 7, 1);
/** The random number that causes no jitter. */
const noJitter = 0.5;

const unlisted = { stateSince: now, identifiedAs: null, failures: 1, failingSince: now } as const;

interface Case {
  verdict: Verdict;
  reason: Reason;
  state?: 'active' | 'failing' | 'dead' | 'gone';
  /** It is identified as Loops, and has failed this often, since this many hours. */
  instance?: { failures?: number; failingForHours?: number; deadForDays?: number } | undefined;
  consecutiveSameOutcome?: number;
  retryAfterMs?: number | null;
  random?: number;
}

function hoursUntilNext({
  verdict,
  reason,
  state = 'active',
  instance,
  consecutiveSameOutcome = 1,
  retryAfterMs = null,
  random = noJitter,
}: Case) {
  const next = nextVisit(
    {
      ...unlisted,
      state,
      consecutiveSameOutcome,
      ...(instance === undefined
        ? {}
        : {
            identifiedAs: 'loops',
            failures: instance.failures ?? 0,
            failingSince: now - (instance.failingForHours ?? 0) * HOUR_MS,
            stateSince: now - (instance.deadForDays ?? 0) * DAY_MS,
          }),
    },
    { verdict, reason, retryAfterMs },
    now,
    random,
    standardPolicy,
  );
  return { hours: (next.at - now) / HOUR_MS, why: next.why };
}

/** Every pair of verdict and reason in the vocabulary. */
const outcomes = Object.entries(REASONS).flatMap(([reason, { verdicts }]) =>
  verdicts.map((verdict) => ({ verdict: verdict as Verdict, reason: reason as Reason })),
);

/** The first interval by reason, in hours. */
const hoursByReason: Partial<Record<Reason, number>> = {
  'third-party-limit': 1,
  'dns-nxdomain': 168,
  'dns-no-address': 12,
  'dns-servfail': 12,
  'dns-refused': 12,
  'dns-timeout': 12,
  'connect-refused': 6,
  'connect-timeout': 3,
  'no-route': 6,
  'connection-reset': 6,
  'tls-expired': 12,
  'tls-wrong-name': 12,
  'tls-untrusted': 12,
  'tls-failed': 12,
  'tls-timeout': 12,
  'response-timeout': 3,
  'body-timeout': 3,
  'visit-timeout': 3,
  'invalid-http': 3,
  'http-5xx': 3,
  'robots-unreachable': 3,
  'robots-forbidden': 720,
  gone: 2_160,
  'rate-limited': 1,
  'forbidden-address': 720,
};
/** The first interval of the verdicts for which the reason does not matter, in hours. */
const hoursByVerdict: Partial<Record<Verdict, number>> = { loops: 6, other: 168, unidentified: 168, alias: 720 };

/** Outcomes that count as a failure of the host. */
const failures = outcomes.filter(
  ({ verdict, reason }) => verdict === 'unreachable' || (verdict === 'unidentified' && reason !== 'third-party-limit'),
);

describe('the standard intervals', () => {
  it('are the defaults of the settings', () => {
    expect(SettingsSchema.parse({}).cadence).toEqual(standardPolicy);
  });

  it.each(outcomes)('include one for $verdict, $reason', ({ verdict, reason }) => {
    const expected = hoursByReason[reason] ?? hoursByVerdict[verdict];
    expect(expected).toBeDefined();
    expect(hoursUntilNext({ verdict, reason }).hours).toBeCloseTo(expected ?? 0, 6);
  });

  it.each([
    ['connection-reset', null, 6, 'no connection'],
    ['response-timeout', null, 3, 'time-out'],
    [null, 503, 3, 'server error'],
  ] as const)('depend on how the robots.txt request ended: failure %s, status %s', (failure, status, hours, label) => {
    const step = {
      probe: 'robots',
      url: 'https://a.example.org/robots.txt',
      status,
      ms: 1,
      bytes: 0,
      failure,
    } as const;
    const next = nextVisit(
      { ...unlisted, state: 'failing', consecutiveSameOutcome: 1 },
      { verdict: 'unreachable', reason: 'robots-unreachable', retryAfterMs: null, steps: [step] },
      now,
      noJitter,
      standardPolicy,
    );
    expect(next).toEqual({ at: now + hours * HOUR_MS, why: `${label}: after ${hours} h` });
  });

  it.each(failures)(
    'revisit a dead domain every 30 d after any failure, an instance every day for 90 d: $reason',
    (outcome) => {
      const hoursAfter = (instance: Case['instance']) =>
        hoursUntilNext({ ...outcome, state: 'dead', instance, consecutiveSameOutcome: 12 }).hours;
      expect(hoursAfter(undefined)).toBeCloseTo(720, 6);
      expect([0, 89, 90].map((deadForDays) => hoursAfter({ deadForDays }))).toEqual([24, 24, 720]);
    },
  );
});

describe('a listed instance', () => {
  it.each(outcomes.filter(({ reason }) => reason === 'third-party-limit'))(
    'whose visit a limit of ours ended is visited after an hour',
    (outcome) => {
      for (const state of ['active', 'failing', 'dead'] as const)
        expect(hoursUntilNext({ ...outcome, state, instance: { failures: 2 } }).hours).toBe(1);
    },
  );

  it.each(failures)('is visited ten minutes after its first failed visit: $reason', (outcome) => {
    const { hours, why } = hoursUntilNext({ ...outcome, instance: { failures: 1 } });
    expect(hours * 60).toBeCloseTo(10, 6);
    expect(why).toBe('a failure to confirm: after 10 min');
  });

  it.each(failures)(
    'that is down is visited every hour for a day if nothing comes back, then every 6 h: $reason',
    (outcome) => {
      const hoursAfter = (failingForHours: number) =>
        hoursUntilNext({ ...outcome, state: 'failing', instance: { failures: 2, failingForHours } }).hours;
      const first = outcome.verdict === 'unreachable' ? 1 : 6;
      expect([0, 23, 24, 100].map(hoursAfter)).toEqual([first, first, 6, 6]);
    },
  );

  it.each(outcomes.filter(({ verdict, reason }) => verdict === 'declined' && reason !== 'gone'))(
    'that declines is visited after a day (6 h if it is down and rate-limits), or when Retry-After says, within 1 h and 30 d: $reason',
    (outcome) => {
      const hoursAfter = (retryAfterHours: number | null, state: 'active' | 'failing') =>
        hoursUntilNext({
          ...outcome,
          state,
          instance: {},
          retryAfterMs: retryAfterHours === null ? null : retryAfterHours * HOUR_MS,
        }).hours;
      for (const state of ['active', 'failing'] as const) {
        const unasked = state === 'failing' && outcome.reason === 'rate-limited' ? 6 : 24;
        expect([null, 0.5, 3, 100, 10_000].map((hours) => hoursAfter(hours, state))).toEqual([unasked, 1, 3, 100, 720]);
      }
    },
  );

  it('never waits longer than a day unless it declined with Retry-After', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...outcomes),
        fc.constantFrom('active', 'failing'),
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        fc.constantFrom(null, 400 * HOUR_MS),
        (outcome, state, random, retryAfterMs) => {
          if (outcome.verdict === 'declined' && retryAfterMs !== null) return;
          const { hours } = hoursUntilNext({ ...outcome, state, random, retryAfterMs, instance: { failures: 2 } });
          expect(hours).toBeLessThanOrEqual(24);
        },
      ),
    );
  });
});

describe('doubling', () => {
  it.each(outcomes)(
    'applies only to unreachable and unidentified, up to 30 d: $verdict, $reason',
    ({ verdict, reason }) => {
      const doubles = verdict === 'unreachable' || (verdict === 'unidentified' && reason !== 'third-party-limit');
      const first = hoursUntilNext({ verdict, reason }).hours;
      const firstCounts = Array.from({ length: 16 }, (_, index) => index + 1);
      for (const consecutiveSameOutcome of [...firstCounts, 80, 400, 2_000]) {
        const expected = doubles ? Math.min(first * 2 ** (consecutiveSameOutcome - 1), 720) : first;
        expect(
          hoursUntilNext({ verdict, reason, consecutiveSameOutcome }).hours,
          `${consecutiveSameOutcome} in a row`,
        ).toBeCloseTo(expected, 6);
      }
    },
  );

  it('never shortens an interval that is set above the maximum', () => {
    const next = nextVisit(
      { ...unlisted, state: 'failing', consecutiveSameOutcome: 5 },
      { verdict: 'unreachable', reason: 'tls-expired', retryAfterMs: null },
      now,
      noJitter,
      { ...standardPolicy, tlsHours: 1_000 },
    );
    expect((next.at - now) / HOUR_MS).toBeCloseTo(1_000, 6);
  });
});

describe('jitter', () => {
  it('changes the interval by at most a tenth either way, for every outcome', () => {
    const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
    fc.assert(
      fc.property(
        fc.constantFrom(...outcomes),
        fc.integer({ min: 1, max: 50 }),
        random,
        (outcome, consecutiveSameOutcome, drawn) => {
          const { hours: exact } = hoursUntilNext({ ...outcome, consecutiveSameOutcome });
          const { hours } = hoursUntilNext({ ...outcome, consecutiveSameOutcome, random: drawn });
          // The interval after a 429 is never shortened.
          const least = outcome.reason === 'rate-limited' ? exact : exact * 0.9;
          expect(hours).toBeGreaterThanOrEqual(least - 1e-6);
          expect(hours).toBeLessThanOrEqual(exact * 1.1 + 1e-6);
        },
      ),
    );
  });

  it('reaches both limits', () => {
    // 6 h less or more a tenth.
    expect(hoursUntilNext({ verdict: 'loops', reason: 'config-software', random: 0 }).hours).toBeCloseTo(5.4, 6);
    expect(hoursUntilNext({ verdict: 'loops', reason: 'config-software', random: 0.999999 }).hours).toBeCloseTo(6.6, 4);
  });
});

describe('the spread of many domains entered together', () => {
  const after = { ...unlisted, state: 'active', consecutiveSameOutcome: 1, addedInBulk: true } as const;
  const hoursUntilSecondVisit = (outcome: { verdict: Verdict; reason: Reason }, random: number) =>
    (nextVisit(after, { ...outcome, retryAfterMs: null }, now, random, standardPolicy).at - now) / HOUR_MS;
  const other = { verdict: 'other', reason: 'nodeinfo-software' } as const;

  it('is even between one and eleven tenths of the interval', () => {
    const draws = 10_000;
    // How many draws lead to a wait in each tenth of the interval.
    const counts = Array.from({ length: 11 }, () => 0);
    for (let draw = 0; draw < draws; draw += 1) {
      // 16.8 h is a tenth of the interval of 168 h.
      const tenth = Math.floor(hoursUntilSecondVisit(other, (draw + 0.5) / draws) / 16.8);
      counts[tenth] = (counts[tenth] ?? 0) + 1;
    }
    expect(counts).toEqual([0, ...Array.from({ length: 10 }, () => draws / 10)]);
  });

  it.each(outcomes)('starts at a tenth only for intervals of at least a day: $verdict, $reason', (outcome) => {
    const exact = hoursUntilNext(outcome).hours;
    // A shorter interval has only jitter, and that after a 429 or at a limit of ours is never shortened.
    const least = outcome.reason === 'rate-limited' || outcome.reason === 'third-party-limit' ? 1 : 0.9;
    expect(hoursUntilSecondVisit(outcome, 0)).toBeCloseTo(exact * (exact < 24 ? least : 0.1), 4);
  });

  it('does not shorten the wait that Retry-After asks for', () => {
    const next = nextVisit(after, { ...other, retryAfterMs: 100 * HOUR_MS }, now, 0, standardPolicy);
    expect(next).toEqual({ at: now + 100 * HOUR_MS, why: 'as Retry-After asks' });
  });
});

describe('Retry-After', () => {
  const limited = { verdict: 'declined', reason: 'rate-limited' } as const;

  it.each([null, 0, 1_000, 59 * 60_000])(
    'of %j ms after a 429 means at least an hour, for any random number',
    (retryAfterMs) => {
      for (const random of [0, 0.1, 0.5, 0.9]) {
        expect(hoursUntilNext({ ...limited, retryAfterMs, random }).hours).toBeGreaterThanOrEqual(1);
      }
    },
  );

  it.each([2, 10, 719])('of %i hours is obeyed to the millisecond', (hours) => {
    for (const random of [0, 0.5, 0.99]) {
      const next = hoursUntilNext({ ...limited, retryAfterMs: hours * HOUR_MS, random });
      expect(next).toEqual({ hours, why: 'as Retry-After asks' });
    }
  });

  it('is cut to 30 d', () => {
    const next = hoursUntilNext({ ...limited, retryAfterMs: 70 * 365 * 24 * HOUR_MS });
    expect(next).toEqual({ hours: 720, why: 'Retry-After, cut to the longest interval' });
  });

  it('lengthens any other interval and shortens none', () => {
    const failing = { verdict: 'unreachable', reason: 'http-5xx' } as const;
    expect(hoursUntilNext({ ...failing, retryAfterMs: 24 * HOUR_MS }).hours).toBe(24);
    expect(hoursUntilNext({ ...failing, retryAfterMs: HOUR_MS }).hours).toBeCloseTo(3, 6);
  });
});

describe('the reason of the next visit', () => {
  it.each<[Case, string]>([
    [{ verdict: 'loops', reason: 'config-software' }, 'a Loops server: every 6 h'],
    [{ verdict: 'unreachable', reason: 'dns-nxdomain' }, 'no such name: after 168 h'],
    [
      { verdict: 'unreachable', reason: 'connect-timeout', consecutiveSameOutcome: 3 },
      'time-out: after 3 h, doubled to 12 h',
    ],
    [{ verdict: 'unreachable', reason: 'invalid-http' }, 'server error: after 3 h'],
    [{ verdict: 'declined', reason: 'gone', state: 'gone' }, '410 Gone: every 2160 h'],
    [{ verdict: 'declined', reason: 'rate-limited' }, '429 Too Many Requests: every 1 h'],
    [{ verdict: 'unidentified', reason: 'href-dead', state: 'dead' }, 'dead: every 720 h'],
  ])('after %o is: %s', (outcome, why) => {
    expect(hoursUntilNext(outcome).why).toBe(why);
  });
});
