import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { explain } from '../../src/explain/explain.ts';
import { Explanation } from '../../src/explain/explanation.ts';
import { explanationText } from '../../src/explain/text/explanation-text.ts';
import { storedDomain } from '../../src/model/domain/domain.ts';
import { REASONS, type Reason } from '../../src/model/reason.ts';
import { openStore } from '../../src/store/open-store.ts';
import type { Store } from '../../src/store/store.ts';
import type { StoreReader } from '../../src/store/store-reader.ts';
import { DAY_MS, HOUR_MS, standardPolicy } from '../crawl/schedule/standard-policy.ts';
import { loopsVisit, sampleFacts } from '../store/sample-visit.ts';
import { scratchPath } from '../store/scratch.ts';
import { createPast, type Past, redirectsTo, step, withoutSoftware } from './past.ts';

const now = Date.UTC(2026, 2, 1, 12);
const name = 'loops.example.org';

let store: Store;
let past: Past;

beforeEach(async () => {
  store = await openStore({ path: scratchPath() });
  onTestFinished(() => store[Symbol.asyncDispose]());
  past = createPast(store);
});

/** The days before now of failed visits, so many and over such a time that the host is dead. */
const DAYS_OF_FATAL_FAILURES = [30, 29, 28, 27, 25, 22, 15];

function explained(domain: string, visits = 5, isVisitor = false): Explanation {
  using reader = store.reader();
  return explainedBy(reader, domain, visits, isVisitor);
}

function explainedBy(reader: StoreReader, domain: string, visits = 5, isVisitor = false): Explanation {
  const context = {
    now,
    policy: standardPolicy,
    softwareId: 'loops',
    robotsToken: 'Loopscout',
    staleDays: 7,
    visits,
    isVisitor,
  };
  return explain(reader, storedDomain(domain), context);
}

const factOf = ({ facts }: Explanation, path: string) => facts?.find((fact) => fact.path === path);

it('an explanation has the documented keys and UTC times, and matches its schema', () => {
  past.visit(name, now - 2 * HOUR_MS);
  const explanation = explained(name);
  expect(Explanation.parse(explanation)).toEqual(explanation);
  expect(explanation).toMatchObject({
    domain: name,
    state: 'active',
    since: '2026-03-01T10:00:00.000Z',
    verdict: 'loops',
    reason: 'config-software',
    via: 'config',
    listed: true,
    nextVisit: '2026-03-01T16:00:00.000Z',
    nextVisitWhy: 'a Loops server: every 6 h',
    visits: [{ visitedAt: '2026-03-01T10:00:00.000Z', verdict: 'loops', reason: 'config-software' }],
  });
  expect(explanation.visits[0]?.steps?.map(({ what }) => what)).toEqual([
    'name look-up',
    'robots.txt',
    'configuration',
    'NodeInfo link',
  ]);
});

it('the explanation of an unknown domain has a null state and only advice', () => {
  const explanation = explained(name);
  expect(explanation).toMatchObject({
    domain: name,
    state: null,
    since: null,
    verdict: null,
    listed: false,
    visits: [],
  });
  expect(explanation.whatWouldChange).toEqual([`To add and visit it now: loopscout add ${name}.`]);
});

it('an explanation includes the requested number of visits, newest first', () => {
  for (let hours = 60; hours > 0; hours -= 6) past.visit(name, now - hours * HOUR_MS);
  const hoursAgoOf = (visits: number) =>
    explained(name, visits).visits.map(({ visitedAt }) => (now - Date.parse(visitedAt)) / HOUR_MS);
  expect(hoursAgoOf(3)).toEqual([6, 12, 18]);
  expect(hoursAgoOf(0)).toEqual([]);
  expect(hoursAgoOf(50)).toHaveLength(10);
});

describe('facts', () => {
  it('count zero and an empty list as known, and null as unknown', () => {
    const usage = { users: 0, activeMonth: null, activeHalfyear: 0, posts: 0, asOf: new Date(now).toISOString() };
    const limits = { ...sampleFacts.limits, videoFormats: [], maxBioLength: 0 };
    past.visit(name, now - HOUR_MS, { facts: { ...sampleFacts, usage, limits } });
    const explanation = explained(name);
    expect(factOf(explanation, 'usage.users')).toMatchObject({ value: 0, standing: 'fresh' });
    expect(factOf(explanation, 'usage.activeMonth')).toEqual({
      path: 'usage.activeMonth',
      value: null,
      readAt: null,
      standing: 'unknown',
    });
    expect(factOf(explanation, 'limits.videoFormats')).toMatchObject({ value: [], standing: 'fresh' });
    const text = explanationText(explanation, (_looks, plain) => plain);
    expect(text).toMatch(/^ {2}users +0$/m);
    expect(text).toMatch(/^ {2}video formats +none$/m);
    expect(text).toMatch(/^ {2}unknown: active in a month, starter kits$/m);
  });

  it('are stale when they were last read longer ago than the setting allows, and keep their values', () => {
    past.visit(name, now - 8 * DAY_MS);
    const usage = { users: null, activeMonth: null, activeHalfyear: null, posts: null, asOf: null };
    past.visit(name, now - HOUR_MS, { facts: { ...sampleFacts, usage, flags: ['nodeinfo-unavailable'] } });
    const explanation = explained(name);
    const readAt = new Date(now - 8 * DAY_MS).toISOString();
    expect(factOf(explanation, 'usage.users')).toMatchObject({ value: 1234, readAt, standing: 'stale' });
    expect(factOf(explanation, 'version')).toMatchObject({ standing: 'fresh' });
  });
});

it('the explanation of an alias states whether its target is listed', () => {
  past.visit('www.example.org', now - HOUR_MS, redirectsTo(name));
  expect(explained('www.example.org').whatWouldChange.join()).toContain(`${name} is not known yet`);
  past.visit(name, now - HOUR_MS);
  expect(explained('www.example.org').why).toContain(`${name} is listed.`);
});

it('an explanation keeps the identified software when the last visit was inconclusive', () => {
  past.visit(name, now - 9 * DAY_MS, { ...otherByConfig('mastodon', '4.5.1') });
  past.visit(name, now - HOUR_MS, withoutSoftware('unreachable', 'connect-timeout'));
  const { headline, why } = explained(name);
  expect(headline).toBe(`${name} is not listed: it ran mastodon 4.5.1, which is not Loops.`);
  expect(why).toContain(REASONS['connect-timeout'].means);
});

it('a dead host with a requested visit is explained as waiting for that visit', () => {
  for (const days of DAYS_OF_FATAL_FAILURES)
    past.visit(name, now - days * DAY_MS, withoutSoftware('unreachable', 'dns-nxdomain'));
  expect(explained(name)).toMatchObject({ state: 'dead', headline: `${name} is not listed: its name does not exist.` });
  past.request(name, now);
  const { state, headline, nextVisit } = explained(name);
  expect({ state, nextVisit }).toEqual({ state: 'new', nextVisit: new Date(now).toISOString() });
  expect(headline).toBe(`${name} is not listed: a requested visit has not finished yet.`);
});

it('a dead instance is explained as still dead when a requested visit failed', () => {
  past.visit(name, now - 60 * DAY_MS);
  for (const days of DAYS_OF_FATAL_FAILURES)
    past.visit(name, now - days * DAY_MS, withoutSoftware('unreachable', 'connect-refused'));
  past.request(name, now - 2 * HOUR_MS);
  past.visit(name, now - HOUR_MS, withoutSoftware('unreachable', 'connect-refused'));
  const { state, stateWhy, listed, headline, why, nextVisitWhy } = explained(name);
  expect({ state, stateWhy, listed }).toEqual({
    state: 'dead',
    stateWhy: 'a user requested a visit, which failed again',
    listed: false,
  });
  expect(headline).toBe(`${name} is not listed: it was Loops, and counts as dead.`);
  expect(why).toBe(
    'It was dead or gone, a visit was requested, and that visit failed: nothing listens at the address. One visit failed, 1 hour ago (2026-03-01 11:00 UTC). Any answer revives it.',
  );
  expect(nextVisitWhy).toBe('dead, once Loops: every 24 h');
});

it('no earlier visit is suggested for a host that asked for fewer requests', () => {
  past.visit(name, now - HOUR_MS, { ...withoutSoftware('declined', 'rate-limited'), retryAfterMs: DAY_MS });
  expect(explained(name).whatWouldChange.join()).not.toContain('loopscout add');
});

it('the suggested robots.txt lines allow only the paths that were forbidden', () => {
  const forbidden = { code: 'forbidden-to-all', note: 'not requested: robots.txt forbids it to everyone' } as const;
  const steps = [
    step('config', `https://${name}/api/v1/config`, { status: 404 }),
    step('nodeinfo', 'https://cdn.example.org/ni?v=2.0', forbidden),
  ];
  past.visit(name, now - HOUR_MS, withoutSoftware('declined', 'robots-forbidden', steps));
  expect(explained(name).whatWouldChange[0]).toBe(
    'Add these lines to https://cdn.example.org/robots.txt.\nUser-agent: Loopscout\nAllow: /ni?v=2.0',
  );
});

/** Every outcome of a visit, except those of a Loops server. */
const outcomes = Object.entries(REASONS).flatMap(([reason, { verdicts }]) =>
  verdicts.filter((verdict) => verdict !== 'loops').map((verdict) => ({ verdict, reason: reason as Reason })),
);

it('every outcome of a visit is explained, for a new host and for a former Loops server', () => {
  const headlines = new Set<string>();
  const hosts = outcomes.flatMap(({ verdict, reason }, index) =>
    [false, true].map((wasLoops) => {
      const domain = `${wasLoops ? 'once' : 'never'}-${index}.example.org`;
      if (wasLoops) past.visit(domain, now - DAY_MS);
      const outcome = withoutSoftware(verdict, reason);
      past.visit(domain, now - HOUR_MS, verdict === 'alias' ? redirectsTo('elsewhere.example.org') : outcome);
      return { domain, verdict, reason, wasLoops };
    }),
  );
  using reader = store.reader();
  for (const { domain, verdict, reason, wasLoops } of hosts) {
    const explanation = explainedBy(reader, domain);
    expect(Explanation.parse(explanation)).toEqual(explanation);
    expect(explanation.listed).toBe(wasLoops && !['other', 'alias'].includes(verdict) && reason !== 'gone');
    expect(explanation.whatWouldChange[0], `${verdict}, ${reason}`).toMatch(/^[A-Z]/);
    expect(explanationText(explanation, (_looks, plain) => plain)).not.toMatch(/undefined|NaN|\[object|\bnull\b/);
    headlines.add(explanation.headline.replace(domain, ''));
  }
  expect(headlines.size).toBeGreaterThan(12);
});

/** A visit whose config names other software. */
function otherByConfig(software: string, version: string) {
  return { ...withoutSoftware('other', 'config-software'), via: 'config' as const, software, version };
}

it('an explanation has the same text with and without styles', () => {
  past.discover(name, now - DAY_MS);
  past.visit(name, now - HOUR_MS, loopsVisit(storedDomain(name), now - HOUR_MS));
  const styled = explanationText(explained(name), (looks, plain) => `<${looks.join(' ')}>${plain}</>`);
  const plain = explanationText(explained(name), (_looks, text) => text);
  expect(styled).toContain(`<bold green>${name} is listed.</>`);
  expect(styled.replaceAll(/<[^>]*>/g, '')).toBe(plain);
});

describe('a NodeInfo URL whose host has no usable robots.txt', () => {
  const steps = [
    step('discovery', `https://${name}/.well-known/nodeinfo`, { status: 200, bytes: 117 }),
    step('robots', `http://${name}/robots.txt`, { failure: 'connect-refused' }),
  ];

  it('is shown as advertised', () => {
    const note = 'not requested: the robots.txt of its host is unavailable';
    const withNodeInfo = [...steps, step('nodeinfo', `http://${name}/nodeinfo/2.0`, { note, ms: 0 })];
    past.visit(name, now - HOUR_MS, withoutSoftware('unidentified', 'href-dead', withNodeInfo));
    expect(explained(name).whatWouldChange[0]).toBe(
      `Serve the NodeInfo document at http://${name}/nodeinfo/2.0, or correct the link to it.`,
    );
  });

  it('is not shown when it was not stored', () => {
    past.visit(name, now - HOUR_MS, withoutSoftware('unidentified', 'href-dead', steps));
    expect(explained(name).whatWouldChange[0]).toContain('at the advertised address');
  });
});

it('the cure names the document that was too large, not that of the last request', () => {
  const config = `https://${name}/api/v1/config`;
  const steps = [
    step('config', config, { status: 200, failure: 'body-too-large' }),
    step('discovery', `https://${name}/.well-known/nodeinfo`, { status: 404 }),
  ];
  past.visit(name, now - HOUR_MS, withoutSoftware('unidentified', 'body-too-large', steps));
  expect(explained(name).whatWouldChange[0]).toContain(`Shorten the answer of ${config}`);
});

describe('a software name similar to that of Loops', () => {
  it.each([
    ['loops ', '"loops␣"'],
    [' loops', '"␣loops"'],
    ['loops\u00a0', '"loops<U+00A0>"'],
    ['loo\u200bps', '"loo<U+200B>ps"'],
    ['Loops', '"Loops"'],
    ['loops-relay', '"loops-relay"'],
    ['l\u043eops', '"l\u043eops"'],
  ])('%j is quoted with all its characters visible', (software, quoted) => {
    past.visit(name, now - HOUR_MS, otherByConfig(software, '1.0.0'));
    const { headline, why, visits } = explained(name);
    expect(headline).toBe(
      `${name} is not listed: it calls itself ${quoted}, and only the exact name "loops" counts as Loops.`,
    );
    expect(why).toContain('configuration says so');
    expect(why.includes('␣ stands for a space')).toBe(quoted.includes('␣'));
    expect(visits[0]?.means).toContain(`${quoted} 1.0.0: `);
  });

  it('differs from an unrelated name, which is not quoted', () => {
    past.visit(name, now - HOUR_MS, otherByConfig('My Fedi Server', '0.1'));
    expect(explained(name).headline).toBe(`${name} is not listed: it runs My Fedi Server 0.1, which is not Loops.`);
  });
});

describe('a robots.txt that could not be fetched', () => {
  const robots = (result: Parameters<typeof step>[2]) =>
    withoutSoftware('unreachable', 'robots-unreachable', [step('robots', `https://${name}/robots.txt`, result)]);

  it('is not explained by the failure of another host to which it was redirected', () => {
    const steps = [
      step('robots', `https://${name}/robots.txt`, { status: 301 }),
      step('robots', 'https://no.example.org/robots.txt', { failure: 'dns-nxdomain' }),
    ];
    past.visit(name, now - HOUR_MS, withoutSoftware('unreachable', 'robots-unreachable', steps));
    const { headline, whatWouldChange } = explained(name);
    expect(headline).not.toContain('does not exist');
    expect(whatWouldChange[0]).toMatch(/^Answer .*robots\.txt with 200 or 404/);
  });

  it('is explained by the closed connection, with a cure', () => {
    past.visit(name, now - HOUR_MS, robots({ failure: 'connection-reset' }));
    const { why, stateWhy, whatWouldChange, nextVisitWhy, visits } = explained(name);
    const words =
      'robots.txt could not be fetched (the connection was closed before the answer was complete), so nothing else was requested';
    // In `why`, the words begin with a capital letter.
    expect(why).toContain(words.slice(1));
    expect(stateWhy).toBe(`failed: ${words}`);
    expect(visits[0]?.means).toBe(words);
    expect(whatWouldChange[0]).toBe(
      'Find out what closes the connection: a firewall, a proxy or a crashing server. Until robots.txt can be fetched, no other request is allowed (RFC 9309).',
    );
    expect(nextVisitWhy).toBe('no connection: after 6 h');
  });

  it('is explained by the time-out', () => {
    past.visit(name, now - HOUR_MS, robots({ failure: 'response-timeout' }));
    expect(explained(name).nextVisitWhy).toBe('time-out: after 3 h');
    expect(explained(name).whatWouldChange[0]).toMatch(/^Answer faster.*RFC 9309/);
  });

  it('is cured by 200 or 404 when it answers with a server error', () => {
    past.visit(name, now - HOUR_MS, robots({ status: 503, bytes: 12 }));
    const { stateWhy, nextVisitWhy, whatWouldChange } = explained(name);
    expect(stateWhy).toBe('failed: robots.txt could not be fetched (a server error), so nothing else was requested');
    expect(nextVisitWhy).toBe('server error: after 3 h');
    expect(whatWouldChange[0]).toContain(`Answer https://${name}/robots.txt with 200 or 404`);
  });
});

it.each([
  ['software-mismatch', 'exactly "loops"'],
  ['version-mismatch', 'the same version'],
  ['app-url-mismatch', `app.url to https://${name}`],
  ['registration-mismatch', 'openRegistrations'],
  ['nodeinfo-http-href', 'https address'],
  ['wrong-type-field', 'of the wrong type'],
] as const)('the flag %s has exactly one line with a cure', (flag, words) => {
  past.visit(name, now - HOUR_MS, { facts: { ...sampleFacts, flags: [flag], notes: [] } });
  expect(explained(name).whatWouldChange.filter((cure) => cure.includes(words))).toHaveLength(1);
});

it('the text says only once that a new instance was observed too briefly', () => {
  past.visit(name, now - HOUR_MS);
  const text = explanationText(explained(name), (_looks, plain) => plain);
  expect(text).toMatch(/^ {2}up {10}too little was observed so far$/m);
  expect(text).not.toContain('of it observed');
});

it.each([
  ['declined', 'robots-forbidden', 'it answers, but robots.txt forbids a request that was needed'],
  ['unidentified', 'body-too-large', 'it answers, but a response body exceeded the size limit'],
  ['unidentified', 'no-nodeinfo', 'it answers, but has no NodeInfo document'],
  ['alias', 'redirected', 'answered: the host redirects to another host'],
] as const)('the active state after %s because of %s has a reason', (verdict, reason, words) => {
  past.visit(name, now - HOUR_MS, withoutSoftware(verdict, reason));
  expect(explained(name).stateWhy).toBe(words);
});

describe('a listed instance with failed visits', () => {
  it('that declines stays listed with earlier facts for a week, and then leaves the directory', () => {
    past.visit(name, now - 8 * DAY_MS);
    for (const days of [6, 4, 2])
      past.visit(name, now - days * DAY_MS, withoutSoftware('declined', 'robots-forbidden'));
    const { headline, why, flags, state } = explained(name);
    expect(headline).toBe(`${name} is listed with earlier facts.`);
    expect(why).toContain('it leaves the directory, not before 2026-02-28 12:00 UTC.');
    expect({ state, flags: flags.map(({ flag }) => flag) }).toMatchObject({ state: 'active' });
    past.visit(name, now, withoutSoftware('declined', 'robots-forbidden'));
    expect(explained(name)).toMatchObject({
      listed: false,
      headline: `${name} is not listed: its robots.txt forbids the visit.`,
    });
  });

  it('is down since the first of them, and dead not before the schedule can make it dead', () => {
    past.visit(name, now - DAY_MS);
    past.visit(name, now - 2 * HOUR_MS, withoutSoftware('unreachable', 'connect-refused'));
    const once = explained(name);
    expect(once.headline).toBe(`${name} is listed as up, but its last visit failed.`);
    expect(once.flags.map(({ flag }) => flag)).toContain('unconfirmed');
    past.visit(name, now - HOUR_MS, withoutSoftware('unreachable', 'connect-refused'));
    const twice = explained(name);
    expect(twice.headline).toBe(`${name} is listed as down: its last 2 visits failed.`);
    expect(twice.since).toBe(new Date(now - 2 * HOUR_MS).toISOString());
    expect(twice.changes[0]).toMatchObject({ field: 'state', after: 'failing', changedAt: twice.since });
    expect(twice.why).toContain('not before 2026-03-08 10:00 UTC.');
  });
});

it('a visitor, who can run no command, is told only when the next visit is due', () => {
  past.visit(name, now - HOUR_MS, { ...otherByConfig('mastodon', '4.5.1') });
  const { whatWouldChange } = explained(name, 5, true);
  expect(whatWouldChange.join()).not.toContain('loopscout');
  expect(whatWouldChange.at(-1)).toMatch(/^The next visit is due at /);
});
