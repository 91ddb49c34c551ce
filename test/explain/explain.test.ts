import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { explain } from '../../src/explain/explain.ts';
import { Explanation } from '../../src/explain/explanation.ts';
import { explanationText } from '../../src/explain/text/explanation-text.ts';
import { storedDomain } from '../../src/model/domain/domain.ts';
import { REASONS, type Reason } from '../../src/model/reason.ts';
import { openStore } from '../../src/store/open-store.ts';
import type { Store } from '../../src/store/store.ts';
import { DAY_MS, HOUR_MS, standardPolicy } from '../schedule/standard-policy.ts';
import { loopsVisit, sampleFacts } from '../store/sample-visit.ts';
import { scratchPath } from '../store/scratch.ts';
import { createPast, type Past, redirectsTo, step, unsettled } from './past.ts';

const now = Date.UTC(2026, 2, 1, 12);
const name = 'loops.example.org';

let store: Store;
let past: Past;

beforeEach(async () => {
  store = await openStore({ path: scratchPath(), now: () => now });
  onTestFinished(() => store[Symbol.asyncDispose]());
  past = createPast(store);
});

function explained(domain: string, visits = 5): Explanation {
  using reader = store.reader();
  const context = { now, policy: standardPolicy, softwareId: 'loops', robotsToken: 'Loopscout', staleDays: 7, visits };
  return explain(reader, storedDomain(domain), context);
}

const factOf = ({ facts }: Explanation, path: string) => facts?.find((fact) => fact.path === path);

it('holds the keys that scripts rely on, in UTC, and what its schema says', () => {
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
    visits: [{ at: '2026-03-01T10:00:00.000Z', verdict: 'loops', reason: 'config-software' }],
  });
  expect(explanation.visits[0]?.steps?.map(({ what }) => what)).toEqual([
    'name look-up',
    'robots.txt',
    'configuration',
    'NodeInfo link',
  ]);
});

it('has a null state, and nothing but what to do, for a domain that was never heard of', () => {
  const explanation = explained(name);
  expect(explanation).toMatchObject({
    domain: name,
    state: null,
    since: null,
    verdict: null,
    listed: false,
    visits: [],
  });
  expect(explanation.whatWouldChange).toEqual([`To enter it and visit it now: loopscout add ${name}.`]);
});

it('tells as many visits as it is asked for, the last ones first', () => {
  for (let hours = 60; hours > 0; hours -= 6) past.visit(name, now - hours * HOUR_MS);
  const atHours = (visits: number) => explained(name, visits).visits.map(({ at }) => (now - Date.parse(at)) / HOUR_MS);
  expect(atHours(3)).toEqual([6, 12, 18]);
  expect(atHours(0)).toEqual([]);
  expect(atHours(50)).toHaveLength(10);
});

describe('of facts', () => {
  it('zero is known, an empty list is known, and null is unknown', () => {
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

  it('stale is what was last read longer ago than the settings say, and keeps its value', () => {
    past.visit(name, now - 8 * DAY_MS);
    const usage = { users: null, activeMonth: null, activeHalfyear: null, posts: null, asOf: null };
    past.visit(name, now - HOUR_MS, { facts: { ...sampleFacts, usage, flags: ['nodeinfo-unavailable'] } });
    const explanation = explained(name);
    const readAt = new Date(now - 8 * DAY_MS).toISOString();
    expect(factOf(explanation, 'usage.users')).toMatchObject({ value: 1234, readAt, standing: 'stale' });
    expect(factOf(explanation, 'version')).toMatchObject({ standing: 'fresh' });
  });
});

it('tells of an alias whether the host that it leads to is listed', () => {
  past.visit('www.example.org', now - HOUR_MS, redirectsTo(name));
  expect(explained('www.example.org').whatWouldChange.join()).toContain(`${name} is not known yet`);
  past.visit(name, now - HOUR_MS);
  expect(explained('www.example.org').why).toContain(`${name} is listed.`);
});

it('says of what was known before that it holds, when the last visit of other software learnt nothing', () => {
  past.visit(name, now - 9 * DAY_MS, { ...loopsOther('mastodon', '4.5.1') });
  past.visit(name, now - HOUR_MS, unsettled('unreachable', 'connect-timeout'));
  const { headline, why } = explained(name);
  expect(headline).toBe(`${name} is not listed: it ran mastodon 4.5.1, which is not Loops.`);
  expect(why).toContain(REASONS['connect-timeout'].means);
});

it('says of a dead host that was asked for anew that its visit is awaited, whatever it ran', () => {
  for (const days of [30, 29, 28, 27, 25, 22, 15])
    past.visit(name, now - days * DAY_MS, unsettled('unreachable', 'dns-nxdomain'));
  expect(explained(name)).toMatchObject({ state: 'dead', headline: `${name} is not listed: its name does not exist.` });
  past.add(name, now);
  const { state, headline, nextVisit } = explained(name);
  expect({ state, nextVisit }).toEqual({ state: 'new', nextVisit: new Date(now).toISOString() });
  expect(headline).toBe(`${name} is not listed: a visit was asked for and has not ended yet.`);
});

it('says of a dead instance that was asked for and failed again that it is dead still', () => {
  past.visit(name, now - 60 * DAY_MS);
  for (const days of [30, 29, 28, 27, 25, 22, 15])
    past.visit(name, now - days * DAY_MS, unsettled('unreachable', 'connect-refused'));
  past.add(name, now - 2 * HOUR_MS);
  past.visit(name, now - HOUR_MS, unsettled('unreachable', 'connect-refused'));
  const { state, stateWhy, listed, headline, why, nextVisitWhy } = explained(name);
  expect({ state, stateWhy, listed }).toEqual({
    state: 'dead',
    stateWhy: 'asked for by name, and failed again',
    listed: false,
  });
  expect(headline).toBe(`${name} is not listed: it was Loops, and counts as dead.`);
  expect(why).toBe(
    'It was dead or gone before, was asked for by name, and was not found: nothing listens at the address. One visit failed, 1 hour ago (2026-03-01 11:00 UTC). Any answer brings it back.',
  );
  expect(nextVisitWhy).toBe('dead: every 720 h');
});

it('asks nobody to hurry a host that wants to be asked less often', () => {
  past.visit(name, now - HOUR_MS, { ...unsettled('declined', 'rate-limited'), retryAfterMs: DAY_MS });
  expect(explained(name).whatWouldChange.join()).not.toContain('loopscout add');
});

it('gives the robots.txt lines for just the paths that were closed', () => {
  const forbidden = { code: 'forbidden-to-all', note: 'not asked: robots.txt forbids it to everyone' } as const;
  const steps = [
    step('config', `https://${name}/api/v1/config`, { status: 404 }),
    step('nodeinfo', 'https://cdn.example.org/ni?v=2.0', forbidden),
  ];
  past.visit(name, now - HOUR_MS, unsettled('declined', 'robots-forbidden', steps));
  expect(explained(name).whatWouldChange[0]).toBe(
    'Add to https://cdn.example.org/robots.txt these lines.\nUser-agent: Loopscout\nAllow: /ni?v=2.0',
  );
});

const pairs = Object.entries(REASONS).flatMap(([reason, { verdicts }]) =>
  verdicts.filter((verdict) => verdict !== 'loops').map((verdict) => ({ verdict, reason: reason as Reason })),
);

it('has an answer to every way that a visit can end, for a new host and for one that was Loops', () => {
  const headlines = new Set<string>();
  for (const [index, { verdict, reason }] of pairs.entries()) {
    for (const wasLoops of [false, true]) {
      const domain = `${wasLoops ? 'once' : 'never'}-${index}.example.org`;
      if (wasLoops) past.visit(domain, now - DAY_MS);
      const ending = unsettled(verdict, reason);
      past.visit(domain, now - HOUR_MS, verdict === 'alias' ? redirectsTo('elsewhere.example.org') : ending);
      const explanation = explained(domain);
      expect(Explanation.parse(explanation)).toEqual(explanation);
      expect(explanation.listed).toBe(wasLoops && !['other', 'alias'].includes(verdict) && reason !== 'gone');
      expect(explanation.whatWouldChange[0], `${verdict}, ${reason}`).toMatch(/^[A-Z]/);
      expect(explanationText(explanation, (_looks, plain) => plain)).not.toMatch(/undefined|NaN|\[object|\bnull\b/);
      headlines.add(explanation.headline.replace(domain, ''));
    }
  }
  expect(headlines.size).toBeGreaterThan(12);
});

function loopsOther(software: string, version: string) {
  return { ...unsettled('other', 'config-software'), via: 'config' as const, software, version };
}

it('leaves looks to the one who paints: the text says the same without any', () => {
  past.enter(name, now - DAY_MS);
  past.visit(name, now - HOUR_MS, loopsVisit(storedDomain(name), now - HOUR_MS));
  const painted = explanationText(explained(name), (looks, plain) => `<${looks.join(' ')}>${plain}</>`);
  const plain = explanationText(explained(name), (_looks, text) => text);
  expect(painted).toContain(`<bold green>${name} is listed.</>`);
  expect(painted.replaceAll(/<[^>]*>/g, '')).toBe(plain);
});

describe('of a NodeInfo address whose host did not give its robots.txt', () => {
  const steps = [
    step('discovery', `https://${name}/.well-known/nodeinfo`, { status: 200, bytes: 117 }),
    step('robots', `http://${name}/robots.txt`, { failure: 'connect-refused' }),
  ];

  it('the address told is the one that was advertised', () => {
    const note = 'not asked: its host did not give its robots.txt';
    const asked = [...steps, step('nodeinfo', `http://${name}/nodeinfo/2.0`, { note, ms: 0 })];
    past.visit(name, now - HOUR_MS, unsettled('unidentified', 'href-dead', asked));
    expect(explained(name).whatWouldChange[0]).toBe(
      `Let http://${name}/nodeinfo/2.0 answer with the NodeInfo document, or mend the link to it.`,
    );
  });

  it('none is told where that was not kept', () => {
    past.visit(name, now - HOUR_MS, unsettled('unidentified', 'href-dead', steps));
    expect(explained(name).whatWouldChange[0]).toContain('Let the advertised address answer');
  });
});

it('names the document that was too large, not the one that was asked last', () => {
  const config = `https://${name}/api/v1/config`;
  const steps = [
    step('config', config, { status: 200, failure: 'body-too-large' }),
    step('discovery', `https://${name}/.well-known/nodeinfo`, { status: 404 }),
  ];
  past.visit(name, now - HOUR_MS, unsettled('unidentified', 'body-too-large', steps));
  expect(explained(name).whatWouldChange[0]).toContain(`Shorten what ${config} answers`);
});

describe('of a name that is nearly the one of the service', () => {
  it.each([
    ['loops ', '"loops␣"'],
    [' loops', '"␣loops"'],
    ['loops\u00a0', '"loops<U+00A0>"'],
    ['loo\u200bps', '"loo<U+200B>ps"'],
    ['Loops', '"Loops"'],
    ['loops-relay', '"loops-relay"'],
    ['l\u043eops', '"l\u043eops"'],
  ])('it quotes %j so that all of it is seen', (software, quoted) => {
    past.visit(name, now - HOUR_MS, loopsOther(software, '1.0.0'));
    const { headline, why, visits } = explained(name);
    expect(headline).toBe(`${name} is not listed: it calls itself ${quoted}, and only exactly "loops" is Loops.`);
    expect(why).toContain('configuration says so');
    expect(why.includes('␣ stands for a space')).toBe(quoted.includes('␣'));
    expect(visits[0]?.means).toContain(`${quoted} 1.0.0: `);
  });

  it('and leaves other names as they are', () => {
    past.visit(name, now - HOUR_MS, loopsOther('My Fedi Server', '0.1'));
    expect(explained(name).headline).toBe(`${name} is not listed: it runs My Fedi Server 0.1, which is not Loops.`);
  });
});

describe('of a robots.txt that could not be had', () => {
  const robots = (came: Parameters<typeof step>[2]) =>
    unsettled('unreachable', 'robots-unreachable', [step('robots', `https://${name}/robots.txt`, came)]);

  it('says that the connection was closed, and what to do about that', () => {
    past.visit(name, now - HOUR_MS, robots({ failure: 'connection-reset' }));
    const { why, stateWhy, whatWouldChange, nextVisitWhy, visits } = explained(name);
    const words = 'robots.txt could not be had (the connection was closed before an answer), so nothing else was asked';
    expect(why).toContain(words.slice(1));
    expect(stateWhy).toBe(`failed: ${words}`);
    expect(visits[0]?.means).toBe(words);
    expect(whatWouldChange[0]).toBe(
      'Find what closes the connection: a firewall, a proxy, or a server that crashes. Until robots.txt can be had, nothing else may be asked (RFC 9309).',
    );
    expect(nextVisitWhy).toBe('no connection: after 6 h');
  });

  it('says of a time-out that it is one', () => {
    past.visit(name, now - HOUR_MS, robots({ failure: 'response-timeout' }));
    expect(explained(name).nextVisitWhy).toBe('time-out: after 3 h');
    expect(explained(name).whatWouldChange[0]).toMatch(/^Answer sooner.*RFC 9309/);
  });

  it('asks for 200 or 404 where it answers with a server error', () => {
    past.visit(name, now - HOUR_MS, robots({ status: 503, bytes: 12 }));
    const { stateWhy, nextVisitWhy, whatWouldChange } = explained(name);
    expect(stateWhy).toBe('failed: robots.txt could not be had (a server error), so nothing else was asked');
    expect(nextVisitWhy).toBe('server error: after 3 h');
    expect(whatWouldChange[0]).toContain(`Let https://${name}/robots.txt answer with 200 or 404`);
  });
});

it.each([
  ['software-mismatch', 'exactly "loops"'],
  ['version-mismatch', 'the same version'],
  ['app-url-mismatch', `app.url to https://${name}`],
  ['registration-mismatch', 'openRegistrations'],
  ['nodeinfo-http-href', 'https address'],
  ['wrong-type-field', 'of the wrong type'],
] as const)('has one line with a cure for %s', (flag, words) => {
  past.visit(name, now - HOUR_MS, { facts: { ...sampleFacts, flags: [flag], notes: [] } });
  expect(explained(name).whatWouldChange.filter((cure) => cure.includes(words))).toHaveLength(1);
});

it('says once that too little was watched, of an instance that is new', () => {
  past.visit(name, now - HOUR_MS);
  const text = explanationText(explained(name), (_looks, plain) => plain);
  expect(text).toMatch(/^ {2}up {10}too little was watched yet$/m);
  expect(text).not.toContain('of it watched');
});

it.each([
  ['declined', 'robots-forbidden', 'it answers, but robots.txt forbids a request that was needed'],
  ['unidentified', 'body-too-large', 'it answers, but an answer was larger than the limit for a body'],
  ['unidentified', 'no-nodeinfo', 'it answers, but has no NodeInfo document'],
  ['alias', 'redirected', 'answered: the host redirects to another host'],
] as const)('why it is active, of %s because of %s, is whole words', (verdict, reason, words) => {
  past.visit(name, now - HOUR_MS, unsettled(verdict, reason));
  expect(explained(name).stateWhy).toBe(words);
});

describe('of trouble of an instance that is listed', () => {
  it('says at the top when the next look is, where that is far off', () => {
    past.visit(name, now - 20 * DAY_MS);
    past.visit(name, now - 10 * DAY_MS, unsettled('declined', 'robots-forbidden'));
    const { headline, flags } = explained(name);
    expect(headline).toBe(
      `${name} is listed, with what it said earlier; the next look is in 20 days (2026-03-21 12:00 UTC).`,
    );
    expect(flags.map(({ flag }) => flag)).toContain('stale-facts');
  });

  it('says so of one that fails', () => {
    past.visit(name, now - 40 * DAY_MS);
    for (const days of [6, 5, 4, 3, 1]) past.visit(name, now - days * DAY_MS, unsettled('unreachable', 'tls-expired'));
    expect(explained(name).headline).toBe(
      `${name} is listed as down: its last 5 visits failed; the next look is in 7 days (2026-03-08 12:00 UTC).`,
    );
  });

  it('does not where the next look is within a day', () => {
    past.visit(name, now - DAY_MS);
    past.visit(name, now - HOUR_MS, unsettled('unreachable', 'connect-refused'));
    expect(explained(name).headline).toBe(`${name} is listed as down: its last visit failed.`);
  });
});
