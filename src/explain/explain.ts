import type { Cadence } from '../model/cadence.ts';
import type { Domain } from '../model/domain/domain.ts';
import { FACT_LEAVES } from '../model/facts/fact-leaves.ts';
import { INSTANCE_FLAGS } from '../model/facts/instance-facts.ts';
import type { KnownFacts } from '../model/facts/known-facts.ts';
import { membershipOf } from '../model/membership.ts';
import { describeOutcome, underlyingReason } from '../model/step.ts';
import { DAY_MS, type EpochMs, isoTime, utcText } from '../model/time.ts';
import type { StoreReader } from '../store/store-reader.ts';
import type { StoredVisit } from '../store/visits/visit-log.ts';
import type { ExplainContext } from './explain-context.ts';
import { explainListing } from './explain-listing.ts';
import type { ExplainedFact, ExplainedVisit, Explanation } from './explanation.ts';
import { whatWouldChange } from './what-would-change.ts';
import { explainStep, softwareWords } from './words.ts';

interface ExplainOptions {
  /** Ages are counted from this time. */
  now: EpochMs;
  policy: Cadence;
  /** The software name that identifies a Loops server. */
  softwareId: string;
  /** Loopscout's name in robots.txt and User-Agent. */
  robotsToken: string;
  /** A fact older than this is stale. */
  staleDays: number;
  /** The newest release of the software; null when unknown. Default: read from the database, which can be slow. */
  newest?: string | null;
  /** Number of most recent visits to include. */
  visits: number;
  /** Whether a visitor of the pages or the API asks, who can run no command. */
  isVisitor?: boolean | undefined;
}

/** Number of most recent changes to include. */
const MAX_CHANGES = 10;

/** Explains from the database why a domain is listed, not listed or shown as down. */
export function explain(reader: StoreReader, domain: Domain, options: ExplainOptions): Explanation {
  const { now, policy, softwareId, robotsToken, staleDays, isVisitor = false } = options;
  const record = reader.domains.find(domain);
  const listing = reader.domains.listingOf(domain);
  if (listing?.listed === false && listing.because === 'opted-out') return explainOptedOut(domain, listing.since, now);
  if (record === null || listing === null) return explainUnknownDomain(domain, now, isVisitor);
  const { aliasOf } = record;
  const targetListing = aliasOf === null ? null : reader.domains.listingOf(aliasOf);
  const target =
    aliasOf === null || targetListing === null ? null : { domain: aliasOf, isListed: targetListing.listed };
  const visits = Iterator.from(reader.visits.of(domain)).take(Math.max(1, options.visits)).toArray();
  const steps = visits[0]?.steps ?? null;
  const context: ExplainContext = { record, listing, target, steps, softwareId, now, policy };
  const { headline, why } = explainListing(context);
  const knownFacts = reader.instances.factsOf(domain, now, options.newest);
  return {
    domain,
    asOf: isoTime(now),
    state: record.state,
    since: isoTime(record.stateSince),
    stateWhy: record.stateWhy,
    verdict: record.verdict,
    reason: record.reason,
    via: record.via,
    hosting: record.host.hosting,
    listed: listing.listed,
    headline,
    why,
    whatWouldChange: whatWouldChange({ ...context, knownFacts, robotsToken, isVisitor }),
    sources: reader.sources.everListing(domain).map(membershipOf),
    firstSeen: isoTime(record.firstSeen),
    lastVisit: isoTime(record.lastVisit),
    lastSeen: isoTime(record.lastSeen),
    nextVisit: isoTime(record.nextVisit),
    nextVisitWhy: record.nextVisitWhy,
    uptime: knownFacts === null ? null : reader.uptimes.of(domain, now),
    facts: knownFacts === null ? null : explainFacts(knownFacts, now, staleDays),
    flags: (knownFacts?.facts.flags ?? []).map((flag) => ({ flag, means: INSTANCE_FLAGS[flag] })),
    changes: Iterator.from(reader.changes.of(domain))
      .take(MAX_CHANGES)
      .toArray()
      .map(({ at, field, from, to, why, cause }) => ({
        changedAt: isoTime(at),
        field,
        before: from,
        after: to,
        why,
        cause,
      })),
    visits: visits.slice(0, options.visits).map((visit) => explainVisit(visit, softwareId)),
  };
}

function explainVisit(visit: StoredVisit, softwareId: string): ExplainedVisit {
  const { at, durationMs, verdict, reason, steps } = visit;
  return {
    visitedAt: isoTime(at),
    durationMs,
    verdict,
    reason,
    means: outcomeWords(visit, softwareId),
    steps: steps === null ? null : steps.map(explainStep),
  };
}

function outcomeWords(visit: StoredVisit, softwareId: string): string {
  const { verdict, reason, version, aliasOf, steps } = visit;
  if (verdict === 'alias') return `redirects to ${aliasOf ?? 'another host'}`;
  const means = describeOutcome(reason, underlyingReason(reason, steps));
  if (verdict === 'loops') return `version ${version ?? 'unknown'}: ${means}`;
  if (verdict !== 'other') return means;
  return `${softwareWords(visit, softwareId)}${version === null ? ' (version unknown)' : ''}: ${means}`;
}

/** Facts with a label. */
const LABELLED_FACTS = FACT_LEAVES.filter(({ meta }) => meta.label !== undefined);

/** Every labelled fact with its age. Unknown, stale and zero are three different things. */
function explainFacts(knownFacts: KnownFacts, now: number, staleDays: number): ExplainedFact[] {
  return LABELLED_FACTS.map(({ path, ageKey, get }) => {
    const value = get(knownFacts.facts);
    const readAt = knownFacts.readAt[ageKey] ?? null;
    if (value === null) return { path, value, readAt: null, standing: 'unknown' };
    const isStale = readAt === null || now - readAt > staleDays * DAY_MS;
    return {
      path,
      value,
      readAt: isoTime(readAt),
      standing: isStale ? 'stale' : 'fresh',
    };
  });
}

function explainUnknownDomain(domain: Domain, now: number, isVisitor: boolean): Explanation {
  return {
    domain,
    asOf: isoTime(now),
    state: null,
    since: null,
    stateWhy: null,
    verdict: null,
    reason: null,
    via: null,
    hosting: null,
    listed: false,
    headline: `${domain} is not listed: it is unknown.`,
    why: 'No source lists it, no server redirects to it, and nobody has added it.',
    whatWouldChange: isVisitor ? [] : [`To add and visit it now: loopscout add ${domain}.`],
    sources: [],
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

/** The explanation of a domain that an opt-out covers. */
function explainOptedOut(domain: Domain, optedOutAt: number, now: number): Explanation {
  return {
    ...explainUnknownDomain(domain, now, true),
    state: 'opted-out',
    since: isoTime(optedOutAt),
    stateWhy: 'its owner opted out',
    headline: `${domain} is not listed: its owner has opted out.`,
    why: `Since ${utcText(optedOutAt)}, permanently: it is never visited, no source can add it again, and only its name is stored.`,
    whatWouldChange: ['Nothing: an opt-out is permanent, as promised to its owner. No command reverses it.'],
    firstSeen: isoTime(optedOutAt),
  };
}
