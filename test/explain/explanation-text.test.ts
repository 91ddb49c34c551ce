import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { explain } from '../../src/explain/explain.ts';
import { Explanation } from '../../src/explain/explanation.ts';
import { explanationText } from '../../src/explain/text/explanation-text.ts';
import { storedDomain } from '../../src/model/domain/domain.ts';
import { UNKNOWN_HOST } from '../../src/model/facts/host-facts.ts';
import { openStore } from '../../src/store/open-store.ts';
import type { Store } from '../../src/store/store.ts';
import { DAY_MS, HOUR_MS, standardPolicy } from '../crawl/schedule/standard-policy.ts';
import { unknownFeatures, unknownLimits } from '../model/facts/unknown-facts.ts';
import { sampleHosting } from '../store/sample-hosting.ts';
import { sampleFacts } from '../store/sample-visit.ts';
import { withSqlite } from '../store/scratch.ts';
import {
  createPast,
  firstSteps,
  type Past,
  redirectsTo,
  runsOther,
  step,
  stepsWithEqualAnswers,
  withoutSoftware,
} from './past.ts';

const forbidden = { code: 'forbidden-to-us', note: 'not requested: robots.txt forbids it to Loopscout' } as const;

const now = Date.UTC(2026, 2, 1, 12);
/** A time before now. */
const ago = (days: number, hours = 0) => now - days * DAY_MS - hours * HOUR_MS;
const hostSignals = { ...UNKNOWN_HOST, ipv4: true, ipv6: true, tlsExpires: null, noindex: false, canonicalHost: null };

interface Case {
  domain: string;
  /** The first sentence of the text. */
  headline: string;
  /** Creates the history of the domain; without it, the domain is unknown. */
  create?: (past: Past, domain: string, store: Store) => void;
}

/** A visit of a host on which nothing listens. */
const refused = (domain: string) =>
  withoutSoftware('unreachable', 'connect-refused', [
    step('dns', domain, { ms: 12 }),
    step('robots', `https://${domain}/robots.txt`, { failure: 'connect-refused', ms: 31 }),
  ]);

/** Cases that operators ask about, by snapshot name. */
const CASES: Readonly<Record<string, Case>> = {
  listed: {
    domain: 'loops.example.org',
    headline: 'loops.example.org is listed.',
    create(past, domain) {
      past.discover(domain, ago(60));
      past.visit(domain, ago(60), { version: '1.0.0-beta.13', facts: { ...sampleFacts, version: '1.0.0-beta.13' } });
      for (let hours = 30 * 24; hours > 0; hours -= 6) {
        const hasMoved = hours < 48;
        past.visit(domain, ago(0, hours), {
          host: { ...hostSignals, address: hasMoved ? '198.51.100.2' : '198.51.100.1' },
          hosting: sampleHosting(hasMoved ? 3 : 0),
        });
      }
    },
  },
  'listed-by-nodeinfo': {
    domain: 'old.example.org',
    headline: 'old.example.org is listed.',
    create(past, domain) {
      past.visit(domain, ago(1), {
        host: { ...hostSignals, address: '104.16.0.1' },
        hosting: sampleHosting(4),
        via: 'nodeinfo',
        reason: 'nodeinfo-software',
        version: '1.0.0-beta.4',
        facts: {
          ...sampleFacts,
          version: '1.0.0-beta.4',
          federation: null,
          features: unknownFeatures,
          limits: unknownLimits,
          flags: [],
          notes: [],
        },
        steps: [
          ...firstSteps(domain),
          step('config', `https://${domain}/api/v1/config`, { status: 404, bytes: 25 }),
          step('discovery', `https://${domain}/.well-known/nodeinfo`, { status: 200, bytes: 180 }),
          step('nodeinfo', `https://${domain}/nodeinfo/2.0`, { status: 200, bytes: 420 }),
        ],
      });
    },
  },
  'federation-off': {
    domain: 'alone.example.org',
    headline: 'alone.example.org is listed.',
    create(past, domain) {
      past.visit(domain, ago(0, 2), {
        facts: {
          ...sampleFacts,
          federation: false,
          usage: { users: null, activeMonth: null, activeHalfyear: null, posts: null, asOf: null },
          flags: [],
          notes: [],
        },
      });
    },
  },
  'stale-counts': {
    domain: 'stale.example.org',
    headline: 'stale.example.org is listed.',
    create(past, domain) {
      past.visit(domain, ago(20));
      const usage = { users: null, activeMonth: null, activeHalfyear: null, posts: null, asOf: null };
      past.visit(domain, ago(0, 3), { facts: { ...sampleFacts, usage, flags: ['nodeinfo-unavailable'], notes: [] } });
    },
  },
  'listed-as-down': {
    domain: 'down.example.org',
    headline: 'down.example.org is listed as down: its last 3 visits failed.',
    create(past, domain) {
      past.visit(domain, ago(3));
      for (const hours of [20, 14, 0.5]) past.visit(domain, ago(0, hours), refused(domain));
    },
  },
  'certificate-expired': {
    domain: 'expired.example.org',
    headline: 'expired.example.org is listed as up, but its last visit failed.',
    create(past, domain) {
      past.visit(domain, ago(1));
      past.visit(
        domain,
        ago(0, 0.1),
        withoutSoftware('unreachable', 'tls-expired', [
          step('dns', domain, { ms: 12 }),
          step('robots', `https://${domain}/robots.txt`, {
            failure: 'tls-expired',
            note: 'the certificate ended on 2026-02-28',
          }),
        ]),
      );
    },
  },
  'listed-while-rate-limited': {
    domain: 'busy.example.org',
    headline: 'busy.example.org is listed with earlier facts.',
    create(past, domain) {
      past.visit(domain, ago(2));
      past.visit(domain, ago(0, 1), {
        ...withoutSoftware('declined', 'rate-limited', [
          step('dns', domain),
          step('robots', `https://${domain}/robots.txt`, { status: 429, bytes: 40 }),
        ]),
        retryAfterMs: 4 * HOUR_MS,
      });
    },
  },
  dead: {
    domain: 'dead.example.org',
    headline: 'dead.example.org is not listed: it was Loops, and counts as dead.',
    create(past, domain) {
      past.visit(domain, ago(40));
      for (const days of [30, 29, 28, 27, 25, 22, 15, 5, 0.5]) past.visit(domain, ago(days), refused(domain));
    },
  },
  'no-such-name': {
    domain: 'typo.example.org',
    headline: 'typo.example.org is not listed: its name does not exist.',
    create(past, domain) {
      const steps = [step('dns', domain, { failure: 'dns-nxdomain', ms: 8 })];
      past.visit(domain, ago(2), withoutSoftware('unreachable', 'dns-nxdomain', steps));
    },
  },
  gone: {
    domain: 'gone.example.org',
    headline: 'gone.example.org is not listed: it answered 410 Gone.',
    create(past, domain) {
      past.visit(domain, ago(50));
      past.visit(domain, ago(9), withoutSoftware('declined', 'gone', stepsWithEqualAnswers(domain, 410)));
    },
  },
  'other-software': {
    domain: 'mastodon.example.org',
    headline: 'mastodon.example.org is not listed: it runs mastodon 4.5.1, which is not Loops.',
    create(past, domain) {
      past.visit(
        domain,
        ago(2),
        runsOther('mastodon', '4.5.1', [
          ...firstSteps(domain),
          step('config', `https://${domain}/api/v1/config`, { status: 404, bytes: 1_200 }),
          step('discovery', `https://${domain}/.well-known/nodeinfo`, { status: 200, bytes: 140 }),
          step('nodeinfo', `https://${domain}/nodeinfo/2.0`, { status: 200, bytes: 380 }),
        ]),
      );
    },
  },
  'once-loops': {
    domain: 'moved-on.example.org',
    headline: 'moved-on.example.org is not listed: it runs peertube, which is not Loops.',
    create(past, domain) {
      past.visit(domain, ago(20));
      past.visit(domain, ago(1), runsOther('peertube', null, stepsWithEqualAnswers(domain, 200)));
    },
  },
  'challenge-page': {
    domain: 'guarded.example.org',
    headline: 'guarded.example.org is not listed: a challenge page stands in front of it.',
    create(past, domain) {
      const steps = stepsWithEqualAnswers(domain, 403, {
        bytes: 5_210,
        code: 'challenge-page',
        note: 'a challenge page of Cloudflare, not a document',
      });
      past.visit(domain, ago(3), withoutSoftware('unidentified', 'challenge-page', steps));
    },
  },
  'parked-page': {
    domain: 'for-sale.example.org',
    headline: 'for-sale.example.org is not listed: its name is parked or for sale.',
    create(past, domain) {
      const steps = stepsWithEqualAnswers(domain, 200, {
        bytes: 900,
        code: 'parked-page',
        note: 'a parked page of Sedo, not a document',
      });
      past.visit(domain, ago(3), withoutSoftware('unidentified', 'parked-page', steps));
    },
  },
  'no-link': {
    domain: 'only-21.example.org',
    headline: 'only-21.example.org is not listed: it answers, but does not say what it is.',
    create(past, domain) {
      past.visit(
        domain,
        ago(3),
        withoutSoftware('unidentified', 'no-nodeinfo-2.0-link', stepsWithEqualAnswers(domain, 200)),
      );
    },
  },
  robots: {
    domain: 'private.example.org',
    headline: 'private.example.org is not listed: its robots.txt forbids the visit.',
    create(past, domain) {
      past.visit(
        domain,
        ago(3),
        withoutSoftware('declined', 'robots-forbidden', [
          step('dns', domain),
          step('robots', `https://${domain}/robots.txt`, { status: 200, bytes: 60 }),
          step('config', `https://${domain}/api/v1/config`, forbidden),
          step('discovery', `https://${domain}/.well-known/nodeinfo`, forbidden),
        ]),
      );
    },
  },
  'forbidden-address': {
    domain: 'inside.example.org',
    headline: 'inside.example.org is not listed: it has no public address.',
    create(past, domain) {
      const note = '10.0.0.7 is not public: private use (RFC 1918)';
      const steps = [step('dns', domain, { failure: 'forbidden-address', note })];
      past.visit(domain, ago(3), withoutSoftware('declined', 'forbidden-address', steps));
    },
  },
  'listed-without-public-address': {
    domain: 'inward.example.org',
    headline: 'inward.example.org is listed with earlier facts.',
    create(past, domain) {
      past.visit(domain, ago(2));
      const note = '10.0.0.7 is not public: private use (RFC 1918)';
      const steps = [step('dns', domain, { failure: 'forbidden-address', note })];
      past.visit(domain, ago(0, 12), withoutSoftware('declined', 'forbidden-address', steps));
    },
  },
  alias: {
    domain: 'www.example.org',
    headline: 'www.example.org is not listed: it redirects to loops.example.org.',
    create(past, domain) {
      const answer = {
        status: 301,
        code: 'redirect-elsewhere',
        redirectsTo: 'loops.example.org',
        note: 'redirects to loops.example.org',
      } as const;
      past.visit(domain, ago(3), redirectsTo('loops.example.org', stepsWithEqualAnswers(domain, 301, answer)));
    },
  },
  noindex: {
    domain: 'shy.example.org',
    headline: 'shy.example.org is not listed: it is Loops, and asks not to be published.',
    create(past, domain) {
      past.visit(domain, ago(0, 1), { host: { ...hostSignals, noindex: true } });
    },
  },
  'same-instance': {
    domain: 'second.example.net',
    headline: 'second.example.net is not listed: it is another name of first.example.net',
    create(past, domain) {
      const first = 'first.example.net';
      past.discover(first, ago(10));
      past.visit(first, ago(0, 2), { host: { ...hostSignals, canonicalHost: storedDomain(domain) } });
      past.discover(domain, ago(5));
      past.visit(domain, ago(0, 1), { host: { ...hostSignals, canonicalHost: storedDomain(first) } });
    },
  },
  'opted-out': {
    domain: 'forgotten.example.org',
    headline: 'forgotten.example.org is not listed: its owner has opted out.',
    create(past, domain, store) {
      past.visit(domain, ago(30));
      store.optOuts.forget([storedDomain(domain)], ago(4));
    },
  },
  'opted-out-under-another-name': {
    domain: 'www.forgotten.example.net:8443',
    headline: 'www.forgotten.example.net:8443 is not listed: its owner has opted out.',
    create: (_past, _domain, store) => void store.optOuts.forget([storedDomain('forgotten.example.net')], ago(4)),
  },
  'never-visited': {
    domain: 'new.example.org',
    headline: 'new.example.org is not listed: it has not been visited yet.',
    create: (past, domain) => past.discover(domain, ago(0, 3)),
  },
  revived: {
    domain: 'again.example.org',
    headline: 'again.example.org is not listed: a requested visit has not finished yet.',
    create(past, domain) {
      past.visit(domain, ago(40));
      for (const days of [30, 29, 28, 27, 25, 22, 15]) past.visit(domain, ago(days), refused(domain));
      past.request(domain, now - 20_000);
    },
  },
  unknown: {
    domain: 'nobody.example.org',
    headline: 'nobody.example.org is not listed: it is unknown.',
  },
  'steps-no-longer-stored': {
    domain: 'long-ago.example.org',
    headline: 'long-ago.example.org is not listed: it answers, but does not say what it is.',
    create: (past, domain) =>
      past.visit(domain, ago(35), withoutSoftware('unidentified', 'no-nodeinfo', stepsWithEqualAnswers(domain, 404))),
  },
};

let folder: string;
let store: Store;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'loopscout-explain-'));
  const path = join(folder, 'store.sqlite');
  store = await openStore({ path });
  const past = createPast(store);
  for (const { create, domain } of Object.values(CASES)) create?.(past, domain, store);
  // As if the steps of `long-ago.example.org` had been deleted at the end of their retention.
  withSqlite(path, (sqlite) =>
    sqlite.exec(
      "delete from visit_steps where visit_id in (select id from visits where domain_id = (select id from domains where domain = 'long-ago.example.org'))",
    ),
  );
});

afterAll(async () => {
  await store[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

function explained(domain: string): Explanation {
  using reader = store.reader();
  return explain(reader, storedDomain(domain), {
    now,
    policy: standardPolicy,
    softwareId: 'loops',
    robotsToken: 'Loopscout',
    staleDays: 7,
    visits: 3,
  });
}

/** The cases whose facts, or whose heading of the facts, differ. */
const WITH_FACTS = ['listed', 'listed-by-nodeinfo', 'listed-as-down', 'federation-off', 'stale-counts', 'dead', 'gone'];

it.each(Object.entries(CASES))(
  'the case %s is explained to an operator in 80 columns',
  async (snapshot, explainedCase) => {
    const explanation = explained(explainedCase.domain);
    expect(Explanation.parse(JSON.parse(JSON.stringify(explanation)))).toEqual(explanation);
    const facts = WITH_FACTS.includes(snapshot) ? explanation.facts : null;
    const text = explanationText({ ...explanation, facts }, (_looks, plain) => plain);
    expect(text.replaceAll(/\s+/g, ' ')).toContain(explainedCase.headline);
    expect(text).not.toMatch(/undefined|NaN|\bnull\b|\[object/);
    for (const line of text.split('\n')) if (!/https?:/.test(line)) expect(line.length).toBeLessThanOrEqual(80);
    await expect(`${text}\n`).toMatchFileSnapshot(`snapshots/${snapshot}.txt`);
  },
);
