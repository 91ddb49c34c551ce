import { createHash } from 'node:crypto';
import type { Domain } from '../model/domain/domain.ts';
import { nestFacts, REPORTED_LEAVES } from '../model/facts/fact-leaves.ts';
import type { InstanceFacts } from '../model/facts/instance-facts.ts';
import { isOlder } from '../model/facts/version-order.ts';
import type { Reason } from '../model/reason.ts';
import { DAY_MS } from '../model/time.ts';
import type { Visit } from '../model/visit.ts';

/** The past of a fleet: when each host was found, and the result of a visit at any time before now. */
export interface Past {
  /** The hosts found after `from` and up to `to`. */
  found(from: number, to: number): Domain[];
  visit(domain: Domain, at: number): Visit;
}

/** Releases, and their age in days now. */
const RELEASES = [
  ['1.0.0-beta.5', 480],
  ['1.0.0-beta.6', 400],
  ['1.0.0-beta.7', 340],
  ['1.0.0-beta.8', 290],
  ['1.0.0-beta.9', 240],
  ['1.0.0-beta.10', 195],
  ['1.0.0-beta.11', 150],
  ['1.0.0-beta.12', 110],
  ['1.0.0-beta.13', 75],
  ['1.0.0-beta.14', 30],
] as const;
/** The first release with a config. */
const FIRST_WITH_CONFIG = '1.0.0-beta.6';

const OUTAGES: readonly Reason[] = ['connect-timeout', 'connect-refused', 'http-5xx', 'tls-expired', 'dns-servfail'];

/** Changes that an operator made later. Each function returns the facts before the change. Unknown flags and limits stay unknown. */
const CHANGES: readonly ((facts: InstanceFacts) => InstanceFacts)[] = [
  (facts) => ({ ...facts, name: `${facts.name ?? 'Loops'} (test)` }),
  (facts) => ({ ...facts, description: 'A place for short videos. Opening soon.' }),
  (facts) => ({
    ...facts,
    registration: { ...facts.registration, open: facts.registration.open === null ? null : !facts.registration.open },
  }),
  (facts) => ({ ...facts, limits: { ...facts.limits, maxVideoSizeMB: half(facts.limits.maxVideoSizeMB) } }),
  (facts) => ({
    ...facts,
    limits: { ...facts.limits, maxVideoDurationSeconds: half(facts.limits.maxVideoDurationSeconds) },
  }),
  (facts) => ({ ...facts, features: { ...facts.features, starterKits: facts.features.starterKits && false } }),
];

interface HostHistory {
  /** The visit from which earlier ones are derived: the one made now, or an invented one if `lostAt` is set. */
  baseVisit: Visit;
  foundAt: number;
  /** When this former Loops server stopped answering; null for every other host. */
  lostAt: number | null;
  /** The visit made now; used from `lostAt` on. */
  visitNow: Visit;
  /** Days from a release until this host runs it. */
  upgradeDays: number;
  /** The number of users at `startsAt`, as a share of the number now. */
  shareAtStart: number;
  outages: readonly { from: number; to: number; reason: Reason }[];
  changes: readonly { at: number; undo: (facts: InstanceFacts) => InstanceFacts }[];
}

/**
 * Invents a past that leads to the given visits; the same visits and times give the same past. Some hosts that are unreachable now were
 * Loops servers earlier.
 *
 * @param visitsNow one visit to each host.
 */
export function createPast(
  visitsNow: readonly Visit[],
  { startsAt, endsAt }: { startsAt: number; endsAt: number },
): Past {
  const templates = visitsNow.filter(({ verdict, via }) => verdict === 'loops' && via === 'config');
  const histories = new Map(visitsNow.map((visit) => [visit.domain, inventHistory(visit)]));

  /** The numbers only have to look plausible. An exponent below 1 favours later times. */
  function inventHistory(visitNow: Visit): HostHistory {
    const draw = createDraw(visitNow.domain);
    const foundAt = draw() < 0.4 ? startsAt : startsAt + draw() ** 0.8 * 0.95 * (endsAt - startsAt);
    const template = templates[Math.floor(draw() * templates.length)];
    const wasLoops = visitNow.verdict === 'unreachable' && draw() < 0.6;
    const daysSinceLost = draw() < 0.5 ? 0.5 + 5 * draw() : 10 + 120 * draw();
    const outages = Array.from({ length: Math.floor(4 * draw()) }, () => {
      const from = startsAt + draw() ** 0.4 * (endsAt - startsAt - 3 * DAY_MS);
      const reason = OUTAGES[Math.floor(draw() * OUTAGES.length)] ?? 'connect-timeout';
      return { from, to: from + (0.3 + 2.5 * draw()) * DAY_MS, reason };
    });
    const changes = Array.from({ length: Math.floor(3 * draw()) }, () => ({
      at: startsAt + (0.2 + 0.75 * draw()) * (endsAt - startsAt),
      undo: CHANGES[Math.floor(draw() * CHANGES.length)] ?? ((facts: InstanceFacts) => facts),
    }));
    const isLost = wasLoops && template !== undefined;
    return {
      baseVisit: isLost ? copyVisit(template, visitNow.domain) : visitNow,
      foundAt: isLost ? Math.min(foundAt, endsAt - (daysSinceLost + 60) * DAY_MS) : foundAt,
      lostAt: isLost ? endsAt - daysSinceLost * DAY_MS : null,
      visitNow,
      upgradeDays: draw() < 0.5 ? 6 * draw() : 60 * draw(),
      shareAtStart: 0.1 + 0.6 * draw(),
      outages,
      changes,
    };
  }

  return {
    found: (from, to) =>
      [...histories].flatMap(([domain, { foundAt }]) => (foundAt > from && foundAt <= to ? [domain] : [])),

    visit(domain, at) {
      const history = histories.get(domain);
      if (history === undefined) throw new Error(`${domain} is not in the fleet`);
      const overrides = { at, documents: {}, robots: null };
      if (history.lostAt !== null && at >= history.lostAt) return { ...history.visitNow, ...overrides };
      const { facts, durationMs } = history.baseVisit;
      // Depends only on the arguments, so that the same call returns the same visit.
      const noise = createDraw(`${domain} ${at}`)();
      const duration = { durationMs: Math.round(durationMs * (0.7 + 0.8 * noise)) };
      if (facts === null) return { ...history.baseVisit, ...overrides, ...duration };
      const outage = history.outages.find(({ from, to }) => at >= from && at < to);
      if (outage !== undefined) return { ...history.baseVisit, ...overrides, ...failedVisit(domain, outage.reason) };
      const progress = (at - startsAt) / (endsAt - startsAt);
      const growth = history.shareAtStart + (1 - history.shareAtStart) * progress ** 1.5;
      const version = versionAt(history, (endsAt - at) / DAY_MS);
      return {
        ...history.baseVisit,
        ...overrides,
        ...duration,
        ...identificationOf(history.baseVisit, version),
        version,
        facts: factsAt(history, { at, version, growth, noise }),
      };
    },
  };
}

function half(value: number | null): number | null {
  return value === null ? null : Math.round(value / 2);
}

function copyVisit(template: Visit, domain: Domain): Visit {
  return { ...template, domain, steps: [], host: { ...template.host, canonicalHost: null } };
}

function failedVisit(domain: Domain, reason: Reason): Partial<Visit> {
  const isHttp = reason === 'http-5xx';
  const isTimeout = reason === 'connect-timeout';
  const step = { url: `https://${domain}/robots.txt`, status: isHttp ? 503 : null, bytes: 0 };
  return {
    durationMs: isTimeout ? 5_000 : 120,
    verdict: 'unreachable',
    reason,
    via: null,
    software: null,
    version: null,
    facts: null,
    steps: [{ ...step, probe: 'robots', ms: isTimeout ? 5_000 : 120, failure: isHttp ? null : reason }],
  };
}

/** The release that the host ran `daysAgo` days ago; never newer than its version now. */
function versionAt({ baseVisit, upgradeDays }: HostHistory, daysAgo: number): string | null {
  const last = RELEASES.findIndex(([version]) => version === baseVisit.version);
  if (last === -1) return baseVisit.version;
  const upgraded = RELEASES.slice(0, last + 1).findLast(([, age]) => age - upgradeDays >= daysAgo);
  return (upgraded ?? RELEASES[0])[0];
}

/** A release without a config was identified by NodeInfo. */
function identificationOf({ via }: Visit, version: string | null): Partial<Visit> {
  if (via !== 'config' || version === null || isOlder(version, FIRST_WITH_CONFIG) !== true) return {};
  return { via: 'nodeinfo', reason: 'nodeinfo-software' };
}

function factsAt(
  { baseVisit, changes }: HostHistory,
  { at, version, growth, noise }: { at: number; version: string | null; growth: number; noise: number },
): InstanceFacts | null {
  if (baseVisit.facts === null) return null;
  const facts = changes.reduce((later, change) => (at < change.at ? change.undo(later) : later), baseVisit.facts);
  const { usage } = facts;
  const scaled = (count: number | null, by: number) => (count === null ? null : Math.round(count * by));
  // A release reports only the fields that it has.
  const reported = nestFacts(REPORTED_LEAVES, ({ get, meta }) => {
    const isMissing = version !== null && meta.since !== undefined && isOlder(version, meta.since) === true;
    return isMissing && meta.nodeinfo === undefined ? null : get(facts);
  });
  return {
    ...facts,
    ...reported,
    version,
    usage: {
      users: scaled(usage.users, growth),
      activeMonth: scaled(usage.activeMonth, growth * (0.85 + 0.15 * noise)),
      activeHalfyear: scaled(usage.activeHalfyear, growth),
      posts: scaled(usage.posts, growth ** 1.5),
      asOf: usage.asOf === null ? null : new Date(at).toISOString(),
    },
  };
}

/** Returns a generator of numbers in [0, 1): the same sequence for the same text. */
function createDraw(text: string): () => number {
  let digest = createHash('sha256').update(text).digest();
  let offset = 0;
  return () => {
    if (offset === digest.length) {
      digest = createHash('sha256').update(digest).digest();
      offset = 0;
    }
    const number = digest.readUInt32BE(offset) / 2 ** 32;
    offset += 4;
    return number;
  };
}
