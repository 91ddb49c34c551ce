import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { afterVisit } from '../../../src/crawl/schedule/after-visit.ts';
import { earliestDeath } from '../../../src/crawl/schedule/transition.ts';
import type { Domain } from '../../../src/model/domain/domain.ts';
import { parseDomain } from '../../../src/model/domain/parse-domain.ts';
import type { DomainRecord } from '../../../src/model/domain-record.ts';
import { type HostFacts, UNKNOWN_HOST } from '../../../src/model/facts/host-facts.ts';
import { UNKNOWN_HOSTING } from '../../../src/model/facts/hosting.ts';
import type { Reason } from '../../../src/model/reason.ts';
import type { Verdict } from '../../../src/model/verdict.ts';
import type { Visit } from '../../../src/model/visit.ts';
import { unvisitedRecord } from '../../model/unvisited-record.ts';
import { DAY_MS, HOUR_MS, standardPolicy } from './standard-policy.ts';

const start = Date.UTC(2026, 7, 1);

function domainOf(text: string): Domain {
  const parse = parseDomain(text, { allowSuffixes: ['example'] });
  if (!parse.ok) throw new Error(parse.detail);
  return parse.domain;
}

const unvisited: DomainRecord = {
  ...unvisitedRecord(domainOf('server.example'), start - DAY_MS),
  nextVisit: start,
};

/** @param more replaces the defaults of the other fields. */
function visitOf(verdict: Verdict, reason: Reason, at: number, more: Partial<Visit> = {}): Visit {
  return {
    domain: unvisited.domain,
    at,
    durationMs: 10,
    verdict,
    reason,
    via: null,
    software: null,
    version: null,
    aliasOf: null,
    facts: null,
    steps: [],
    documents: {},
    retryAfterMs: null,
    host: UNKNOWN_HOST,
    robots: null,
    ...more,
  };
}

type Outcome = [verdict: Verdict, reason: Reason, more?: Partial<Visit>];
const loops: Outcome = ['loops', 'config-software', { via: 'config', software: 'loops', version: '1.0.0-beta.14' }];
const other: Outcome = ['other', 'nodeinfo-software', { via: 'nodeinfo', software: 'mastodon', version: '4.5.2' }];
const alias: Outcome = ['alias', 'redirected', { aliasOf: domainOf('new.example') }];
const gone: Outcome = ['declined', 'gone'];
const forbiddenByRobots: Outcome = ['declined', 'robots-forbidden'];
const rateLimited: Outcome = ['declined', 'rate-limited'];
const forbiddenAddress: Outcome = ['declined', 'forbidden-address'];
const unidentified: Outcome = ['unidentified', 'no-nodeinfo'];
const reset: Outcome = ['unreachable', 'connection-reset'];
const timeout: Outcome = ['unreachable', 'response-timeout'];

/** The record after visits with these outcomes, one every `everyHours`. An unvisited domain gets its first visit at `start`. */
function recordAfter(outcomes: Outcome[], { everyHours = 6, before = unvisited } = {}): DomainRecord {
  let record = before;
  let at = (before.lastVisit ?? start - everyHours * HOUR_MS) + everyHours * HOUR_MS;
  for (const [verdict, reason, more] of outcomes) {
    record = afterVisit(record, visitOf(verdict, reason, at, more), at, 0.5, standardPolicy);
    at += everyHours * HOUR_MS;
  }
  return record;
}
const times = (count: number, outcome: Outcome) => Array.from({ length: count }, () => outcome);

describe('the state after', () => {
  it.each<[visits: string, outcomes: Outcome[], state: DomainRecord['state']]>([
    ['loops', [loops], 'active'],
    ['other software', [other], 'active'],
    ['an alias', [alias], 'active'],
    ['a robots.txt that forbids the visit', [forbiddenByRobots], 'active'],
    ['410 Gone', [gone], 'gone'],
    ['a failure', [reset], 'failing'],
    ['a failure after other software', [other, reset], 'failing'],
    ['a failure of an instance', [loops, reset], 'active'],
    ['two failures of an instance', [loops, reset, timeout], 'failing'],
    ['a failure, 429 and a failure of an instance', [loops, reset, rateLimited, reset], 'failing'],
    ['two failures of an instance and 429', [loops, reset, reset, rateLimited], 'failing'],
    ['an unidentified answer', [unidentified], 'active'],
    ['two unidentified answers after Loops', [loops, unidentified, unidentified], 'failing'],
    ['an unidentified answer after Loops and then other software', [loops, other, unidentified], 'failing'],
    ['an unidentified answer after other software', [other, unidentified], 'active'],
    ['410 after failures', [reset, reset, gone], 'gone'],
    ['a success after 410', [gone, loops], 'active'],
    ['failures after 410', [gone, reset, timeout, reset], 'gone'],
    ['failures of Loops after 410', [loops, gone, unidentified, reset], 'gone'],
    ['a forbidden address after 410', [loops, gone, forbiddenAddress], 'gone'],
    ['a forbidden address', [forbiddenAddress], 'active'],
  ])('$0 is $2', (_visits, outcomes, state) => {
    expect(recordAfter(outcomes).state).toBe(state);
  });

  it('more than 6 failures in a row over more than 7 days is dead; either condition alone is not enough', () => {
    // Eight daily failures span exactly 7 days.
    expect(recordAfter(times(7, reset), { everyHours: 24 }).state).toBe('failing');
    expect(recordAfter(times(8, reset), { everyHours: 24 }).state).toBe('failing');
    expect(recordAfter(times(9, reset), { everyHours: 24 }).state).toBe('dead');
    expect(recordAfter(times(6, reset), { everyHours: 24 * 30 }).state).toBe('failing');
    expect(recordAfter(times(7, reset), { everyHours: 24 * 30 }).state).toBe('dead');
    expect(recordAfter(times(100, reset), { everyHours: 1 }).state).toBe('failing');
  });

  it('failures of different kinds depends on their total number', () => {
    const mixed: Outcome[] = [
      loops,
      reset,
      timeout,
      unidentified,
      ['unreachable', 'dns-nxdomain'],
      reset,
      timeout,
      unidentified,
    ];
    const record = recordAfter(mixed, { everyHours: 48 });
    expect(record).toMatchObject({ state: 'dead', failures: 7 });
  });

  it('a success between failures depends only on the later failures', () => {
    expect(recordAfter([...times(6, reset), loops, ...times(6, reset)], { everyHours: 48 }).state).toBe('failing');
  });

  it('one success of a dead domain is active, with its failures reset', () => {
    const dead = recordAfter(times(10, reset), { everyHours: 24 });
    expect(dead.state).toBe('dead');
    const revived = recordAfter([loops], { before: dead });
    expect(revived).toMatchObject({ state: 'active', failures: 0, failingSince: null });
    expect(recordAfter([reset], { before: revived })).toMatchObject({ state: 'active', failures: 1 });
  });

  it('another failure of a dead domain stays dead', () => {
    const dead = recordAfter(times(10, reset), { everyHours: 24 });
    expect(recordAfter([timeout], { before: dead, everyHours: 720 })).toMatchObject({ state: 'dead', failures: 11 });
  });
});

describe('the time and reason of a state', () => {
  it('change only with the state', () => {
    const first = recordAfter([loops]);
    expect(first).toMatchObject({
      stateSince: start,
      stateWhy: 'answered: the configuration endpoint names the software',
    });
    const later = recordAfter([loops, other, loops], { before: first });
    expect(later).toMatchObject({ stateSince: start, stateWhy: first.stateWhy });
    const failing = recordAfter([reset, timeout, reset], { before: later });
    expect(failing).toMatchObject({
      state: 'failing',
      // The fifth visit, 6 h after the fourth; the sixth confirmed its failure.
      stateSince: start + 24 * HOUR_MS,
      stateWhy: 'failed: a connection was made, but no response began within the time allowed',
    });
  });

  it('include the start of the visit that changed the state, not the time when that visit was recorded', () => {
    const visit = visitOf('loops', 'config-software', start, loops[2]);
    expect(afterVisit(unvisited, visit, start + 9_000, 0.5, standardPolicy).stateSince).toBe(start);
  });

  it('include the length of an outage from its first failure, whether the domain died or not', () => {
    const failing = recordAfter([loops, ...times(3, reset)], { everyHours: 24 });
    expect(recordAfter([loops], { before: failing, everyHours: 24 }).stateWhy).toBe('answered again after 3 days');
    const dead = recordAfter([loops, ...times(12, reset)], { everyHours: 24 });
    expect(recordAfter([loops], { before: dead, everyHours: 24 }).stateWhy).toBe('answered again after 12 days');
  });
});

describe('the first visit', () => {
  /** A domain that waited longer than this for its first visit counts as added with many others. */
  const longestWaitAloneMs = 5 * 60_000;
  /** A domain that waited this long for its first visit. */
  const unvisitedFor = (waitMs: number) => ({ ...unvisited, firstSeen: start - waitMs });
  const waitAfterFirstVisit = (before: DomainRecord, outcome: Outcome, random: number) => {
    const [verdict, reason, more] = outcome;
    const { nextVisit, nextVisitWhy } = afterVisit(
      before,
      visitOf(verdict, reason, start, more),
      start,
      random,
      standardPolicy,
    );
    return { hours: ((nextVisit ?? 0) - start) / HOUR_MS, why: nextVisitWhy };
  };

  it('of a domain added with many others is followed by a random wait', () => {
    // A random number of 0 means a tenth of the interval, 0.9 all of it.
    expect(waitAfterFirstVisit(unvisitedFor(longestWaitAloneMs + 1), other, 0).hours).toBeCloseTo(16.8, 6);
    expect(waitAfterFirstVisit(unvisitedFor(DAY_MS), other, 0.9)).toEqual({
      hours: 168,
      why: 'other software: every 168 h; the first wait is random, because the domain was added with many others',
    });
  });

  it('of a single new domain is followed by the full interval, apart from jitter', () => {
    // 168 h less 10 % jitter.
    expect(waitAfterFirstVisit(unvisitedFor(longestWaitAloneMs), other, 0).hours).toBeCloseTo(151.2, 6);
  });

  it('is the only one followed by such a random wait', () => {
    const second = recordAfter([other, other], { before: unvisitedFor(DAY_MS) });
    expect(second.nextVisitWhy).toBe('other software: every 168 h');
  });
});

describe('the identification of a domain', () => {
  const known = {
    identifiedAs: 'loops',
    via: 'config',
    software: 'loops',
    version: '1.0.0-beta.14',
    aliasOf: null,
    wasEverLoops: true,
  };

  it.each<[visit: string, outcome: Outcome]>([
    ['fails', reset],
    ['identifies nothing', unidentified],
    ['robots.txt forbids', forbiddenByRobots],
    ['finds the host gone', gone],
  ])('survives a visit that %s', (_visit, outcome) => {
    const record = recordAfter([loops, outcome]);
    expect(record).toMatchObject({ ...known, verdict: outcome[0], reason: outcome[1] });
  });

  it('is fully replaced by a visit that identifies something else', () => {
    expect(recordAfter([loops, alias])).toMatchObject({
      identifiedAs: 'alias',
      wasEverLoops: true,
      via: null,
      software: null,
      version: null,
      aliasOf: 'new.example',
    });
    expect(recordAfter([alias, other])).toMatchObject({
      identifiedAs: 'other',
      wasEverLoops: false,
      software: 'mastodon',
      aliasOf: null,
    });
  });

  it('is empty before the first conclusive visit', () => {
    expect(recordAfter([reset, unidentified])).toMatchObject({
      identifiedAs: null,
      wasEverLoops: false,
      software: null,
      via: null,
    });
  });

  it('never changes the domain or the time it was first seen', () => {
    expect(recordAfter([loops, reset, gone, alias])).toMatchObject({
      domain: 'server.example',
      firstSeen: unvisited.firstSeen,
    });
  });
});

describe('the times and counts', () => {
  it('distinguish the last visit from the last success', () => {
    expect(recordAfter([loops, reset, reset])).toMatchObject({
      lastVisit: start + 12 * HOUR_MS,
      lastSeen: start,
      failures: 2,
      failingSince: start + 6 * HOUR_MS,
    });
    expect(recordAfter([reset])).toMatchObject({ lastSeen: null, failingSince: start });
  });

  it.each<[visit: string, outcome: Outcome, isSeen: boolean]>([
    ['robots.txt forbids', forbiddenByRobots, true],
    ['finds the host gone', gone, true],
    ['identifies nothing', unidentified, true],
    ['may not contact the host', forbiddenAddress, false],
  ])('count the host as seen by a visit that $0: $2', (_visit, outcome, isSeen) => {
    const secondVisit = start + 6 * HOUR_MS;
    expect(recordAfter([other, outcome])).toMatchObject({
      lastVisit: secondVisit,
      lastSeen: isSeen ? secondVisit : start,
    });
    expect(recordAfter([outcome]).lastSeen).toBe(isSeen ? start : null);
  });

  it('count equal outcomes in a row, by verdict and failure class, for the doubling of the interval', () => {
    expect(recordAfter(times(3, reset)).consecutiveSameOutcome).toBe(3);
    expect(recordAfter([reset, ['unreachable', 'connect-refused']]).consecutiveSameOutcome).toBe(2);
    expect(recordAfter([reset, reset, timeout]).consecutiveSameOutcome).toBe(1);
    expect(recordAfter([unidentified, ['unidentified', 'href-dead']]).consecutiveSameOutcome).toBe(2);
    expect(recordAfter([unidentified, unidentified, reset]).consecutiveSameOutcome).toBe(1);
    expect(recordAfter([loops]).consecutiveSameOutcome).toBe(1);
  });

  it('include the next visit and its reason', () => {
    expect(recordAfter([loops])).toMatchObject({
      nextVisit: start + 6 * HOUR_MS,
      nextVisitWhy: 'a Loops server: every 6 h',
    });
    const third = recordAfter(times(3, reset));
    expect(third).toMatchObject({
      // The third visit was at 12 h.
      nextVisit: start + 12 * HOUR_MS + 24 * HOUR_MS,
      nextVisitWhy: 'no connection: after 6 h, doubled to 24 h',
    });
    const dead = recordAfter(times(10, reset), { everyHours: 24 });
    expect(dead.nextVisitWhy).toBe('dead: every 720 h');
  });

  it('are written to a new record, and the given one stays unchanged', () => {
    const before = Object.freeze({ ...unvisited });
    expect(() => recordAfter([loops], { before })).not.toThrow();
  });
});

describe('the host facts', () => {
  const known: HostFacts = {
    ipv4: true,
    ipv6: false,
    tlsExpires: start + DAY_MS,
    noindex: true,
    canonicalHost: domainOf('other.example'),
    address: '203.0.113.1',
    hosting: { ...UNKNOWN_HOSTING, country: 'DE', asn: 64_500 },
  };
  const before = { ...unvisited, host: known };

  it('survive a visit that found none', () => {
    expect(recordAfter([reset], { before }).host).toEqual(known);
  });

  it('are replaced one by one by those that a visit found; the canonical host only by a visit that identifies the host', () => {
    const found = { ...known, ipv4: false, ipv6: true, tlsExpires: start, noindex: false, canonicalHost: null };
    for (const fact of ['ipv4', 'ipv6', 'tlsExpires', 'noindex'] as const) {
      const host = { ...UNKNOWN_HOST, [fact]: found[fact] };
      expect(recordAfter([['unreachable', 'http-5xx', { host }]], { before }).host).toEqual({
        ...known,
        [fact]: found[fact],
      });
    }
    const [verdict, reason, more] = loops;
    expect(recordAfter([[verdict, reason, { ...more, host: found }]], { before }).host).toEqual(found);
  });

  it('about an address are kept when no database was asked, and become unknown with another address', () => {
    const [verdict, reason, more] = loops;
    const hostingAt = (address: string | null, hosting?: Visit['hosting']) =>
      recordAfter([[verdict, reason, { ...more, host: { ...UNKNOWN_HOST, address }, hosting }]], { before }).host;
    expect(hostingAt(null)).toMatchObject({ address: '203.0.113.1', hosting: known.hosting });
    expect(hostingAt('203.0.113.1', {}).hosting).toEqual(known.hosting);
    expect(hostingAt('203.0.113.1', { country: 'FR' }).hosting).toEqual({ ...known.hosting, country: 'FR' });
    expect(hostingAt('203.0.113.9', { country: 'FR' })).toMatchObject({
      address: '203.0.113.9',
      hosting: { ...UNKNOWN_HOSTING, country: 'FR' },
    });
  });
});

describe('the time before which a failing instance is said not to be dead', () => {
  it.each([
    ['the standard policy', standardPolicy],
    ['a policy that needs many failures', { ...standardPolicy, deadAfterFailures: 60 }],
    ['a policy with few visits', { ...standardPolicy, downFirstDayHours: 24, downHours: 24, deadAfterDays: 2 }],
  ])(
    'is never after its death, and at last the time of the visit that makes it dead; no wait is longer than a day: %s',
    (_, policy) => {
      fc.assert(
        fc.property(
          fc.constantFrom<Reason>('http-5xx', 'connect-timeout', 'tls-expired', 'access-refused'),
          fc.infiniteStream(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })),
          (reason, draws) => {
            const draw = () => draws.next().value ?? 0;
            const verdict = reason === 'access-refused' ? 'unidentified' : 'unreachable';
            const up = afterVisit(unvisited, visitOf('loops', 'config-software', start), start, draw(), policy);
            const promised: number[] = [];
            let record = up;
            let planned = start;
            while (record.state !== 'dead') {
              const at = record.nextVisit ?? 0;
              expect(at - (record.lastVisit ?? 0)).toBeLessThanOrEqual(DAY_MS);
              planned = at;
              record = afterVisit(record, visitOf(verdict, reason, at), at, draw(), policy);
              if (record.state === 'failing') promised.push(earliestDeath(record, policy));
            }
            expect(Math.max(...promised)).toBeLessThanOrEqual(planned);
            expect(promised.at(-1)).toBe(planned);
            expect(record.failures).toBeGreaterThan(policy.deadAfterFailures);
          },
        ),
        { numRuns: 50 },
      );
    },
  );
});
