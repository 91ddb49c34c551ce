import type { Cadence } from '../model/cadence.ts';
import type { Domain } from '../model/domain/domain.ts';
import { FACT_LEAVES } from '../model/facts/fact-leaves.ts';
import { INSTANCE_FLAGS } from '../model/facts/instance-facts.ts';
import type { KeptFacts } from '../model/facts/kept-facts.ts';
import { causeOf, endingWords } from '../model/step.ts';
import type { StoredVisit, StoreReader } from '../store/store-reader.ts';
import type { Story } from './explain-context.ts';
import { tellListing } from './explain-listing.ts';
import type { ExplainedFact, ExplainedVisit, Explanation } from './explanation.ts';
import { whatWouldChange } from './what-would-change.ts';
import { explainStep, softwareWords, utc } from './words.ts';

interface ExplainContext {
  /** Milliseconds since the epoch; ages count from it. */
  now: number;
  policy: Cadence;
  /** What a server has to call itself. */
  softwareId: string;
  /** The name that Loopscout goes by in robots.txt and User-Agent. */
  robotsToken: string;
  /** After how many days a fact is stale. */
  staleDays: number;
  /** How many visits are told, the last ones. */
  visits: number;
}

/** Changes that are told. */
const CHANGES_TOLD = 10;

/** The answer to "why is it listed, not listed, shown as down?" for one domain, from what is stored. */
export function explain(reader: StoreReader, domain: Domain, context: ExplainContext): Explanation {
  const { now, policy, softwareId, robotsToken, staleDays } = context;
  const record = reader.find(domain);
  const listing = reader.listingOf(domain);
  if (listing?.listed === false && listing.because === 'opted-out') return coveredByOptOut(domain, listing.since, now);
  if (record === null || listing === null) return unheardOf(domain, now);
  const { aliasOf } = record;
  const targetListing = aliasOf === null ? null : reader.listingOf(aliasOf);
  const target =
    aliasOf === null || targetListing === null ? null : { domain: aliasOf, isListed: targetListing.listed };
  const visits = firstOf(reader.visitsOf(domain), Math.max(1, context.visits));
  const steps = visits[0]?.steps ?? null;
  const story: Story = { record, listing, target, steps, softwareId, now, policy };
  const told = tellListing(story);
  const kept = reader.factsOf(domain, now);
  return {
    domain,
    asOf: iso(now),
    state: record.state,
    since: iso(record.stateSince),
    stateWhy: record.stateWhy,
    verdict: record.verdict,
    reason: record.reason,
    via: record.via,
    listed: listing.listed,
    headline: told.headline,
    why: told.why,
    whatWouldChange: whatWouldChange({ story, kept, robotsToken }),
    firstSeen: iso(record.firstSeen),
    lastVisit: isoOrNull(record.lastVisit),
    lastSeen: isoOrNull(record.lastSeen),
    nextVisit: isoOrNull(record.nextVisit),
    nextVisitWhy: record.nextVisitWhy,
    uptime: kept === null ? null : reader.uptimeOf(domain, now),
    facts: kept === null ? null : explainFacts(kept, now, staleDays),
    flags: (kept?.facts.flags ?? []).map((flag) => ({ flag, means: INSTANCE_FLAGS[flag] })),
    changes: firstOf(reader.changesOf(domain), CHANGES_TOLD).map(({ at, field, from, to, why, cause }) => ({
      at: iso(at),
      field,
      from,
      to,
      why,
      cause,
    })),
    visits: visits.slice(0, context.visits).map((visit) => explainVisit(visit, softwareId)),
  };
}

function explainVisit(visit: StoredVisit, softwareId: string): ExplainedVisit {
  const { at, verdict, reason, steps } = visit;
  return {
    at: iso(at),
    verdict,
    reason,
    means: meaning(visit, softwareId),
    steps: steps === null ? null : steps.map(explainStep),
  };
}

function meaning(visit: StoredVisit, softwareId: string): string {
  const { verdict, reason, version, aliasOf, steps } = visit;
  if (verdict === 'alias') return `redirects to ${aliasOf ?? 'another host'}`;
  const means = endingWords(reason, causeOf(reason, steps));
  if (verdict === 'loops') return `version ${version ?? 'unknown'}: ${means}`;
  if (verdict !== 'other') return means;
  return `${softwareWords(visit, softwareId)}${version === null ? ' (version unknown)' : ''}: ${means}`;
}

/** Reads no more than it takes. */
function firstOf<T>(items: Iterable<T>, count: number): T[] {
  const taken: T[] = [];
  for (const item of items) {
    taken.push(item);
    if (taken.length >= count) break;
  }
  return taken;
}

function iso(at: number): string {
  return new Date(at).toISOString();
}

function isoOrNull(at: number | null): string | null {
  return at === null ? null : iso(at);
}

/** The facts that have a name for people. */
const SHOWN = FACT_LEAVES.filter(({ meta }) => meta.label !== undefined);

const DAY_MS = 86_400_000;

/** Each fact that is kept of an instance, with its age. Unknown, stale and zero stay three different things. */
function explainFacts(kept: KeptFacts, now: number, staleDays: number): ExplainedFact[] {
  return SHOWN.map(({ path, ageKey, of }) => {
    const value = of(kept.facts);
    const readAt = kept.readAt[ageKey] ?? null;
    if (value === null) return { path, value, readAt: null, standing: 'unknown' };
    const isStale = readAt === null || now - readAt > staleDays * DAY_MS;
    return {
      path,
      value,
      readAt: readAt === null ? null : new Date(readAt).toISOString(),
      standing: isStale ? 'stale' : 'fresh',
    };
  });
}

/** The answer for a domain that the store does not know. */
function unheardOf(domain: Domain, now: number): Explanation {
  return {
    domain,
    asOf: new Date(now).toISOString(),
    state: null,
    since: null,
    stateWhy: null,
    verdict: null,
    reason: null,
    via: null,
    listed: false,
    headline: `${domain} is not listed: it was never heard of.`,
    why: 'No source has named it, no server has led to it, and nobody has asked for it.',
    whatWouldChange: [`To enter it and visit it now: loopscout add ${domain}.`],
    firstSeen: null,
    lastVisit: null,
    lastSeen: null,
    nextVisit: null,
    nextVisitWhy: null,
    uptime: null,
    facts: null,
    flags: [],
    changes: [],
    visits: [],
  };
}

/** The answer for a domain that an opt-out covers. */
function coveredByOptOut(domain: Domain, optedOutAt: number, now: number): Explanation {
  return {
    ...unheardOf(domain, now),
    state: 'opted-out',
    since: iso(optedOutAt),
    stateWhy: 'its owner asked to be forgotten',
    headline: `${domain} is not listed: its owner has opted out.`,
    why: `Since ${utc(optedOutAt)}, and for good: it is never visited, no source brings it back, and nothing is kept of it but its name.`,
    whatWouldChange: ['Nothing: an opt-out is for good, as its owner was promised. No command takes it back.'],
    firstSeen: iso(optedOutAt),
  };
}
