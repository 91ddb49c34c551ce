import { hostOf, portOf } from '../model/domain/domain.ts';
import type { KnownFacts } from '../model/facts/known-facts.ts';
import type { Reason } from '../model/reason.ts';
import { isRobotsForbidden, underlyingReason } from '../model/step.ts';
import { DAY_MS, HOUR_MS, utcText } from '../model/time.ts';
import type { Verdict } from '../model/verdict.ts';
import { type CureContext, cureOf, FLAG_CURES, strictErrorCure } from './cures.ts';
import type { ExplainContext } from './explain-context.ts';

export interface AdviceContext extends ExplainContext {
  knownFacts: KnownFacts | null;
  robotsToken: string;
  /** No command of ours is named to a visitor. */
  isVisitor: boolean;
}

/** Failures of one answer, whose URL the cure names. */
const UNREAD: ReadonlySet<Reason> = new Set<Reason>([
  'body-too-large',
  'headers-too-large',
  'unsupported-encoding',
  'invalid-encoding',
  'invalid-http',
]);

/** What the operator can do to be listed or shown better, and what will happen without action; the nearest cure first. */
export function whatWouldChange(context: AdviceContext): string[] {
  const { record, listing } = context;
  if (record.lastVisit === null) return context.isVisitor ? [] : [visitNowAdvice(record.domain)];
  const cures: (string | null)[] = [];
  if (record.verdict !== null && record.reason !== null) cures.push(visitCure(record.verdict, record.reason, context));
  if (!listing.listed) cures.push(listingCure(context));
  if (listing.listed && record.verdict === 'loops') cures.push(...factCures(context));
  cures.push(headerCure(context));
  return [...cures.filter((cure) => cure !== null), ...nextVisitAdvice(context)];
}

/** Advice on headers that were read leniently; null when all were valid. */
function headerCure(context: AdviceContext): string | null {
  const step = context.steps?.find(
    ({ code, failure }) => failure === null && (code === 'malformed-header' || code === 'bare-line-feed'),
  );
  if (step?.code !== 'malformed-header' && step?.code !== 'bare-line-feed') return null;
  return strictErrorCure(step.code, { ...cureContextOf(context), lastUrl: step.url });
}

/** If robots.txt could not be fetched, the cure is for the failure of that request. */
function visitCure(verdict: Verdict, reason: Reason, context: AdviceContext): string | null {
  const cureContext = cureContextOf(context);
  const cause = underlyingReason(reason, context.steps);
  const cure = cause === reason || cause === 'http-5xx' ? null : cureOf(verdict, cause, cureContext);
  if (cure === null) return cureOf(verdict, reason, cureContext);
  return `${cure} Until robots.txt can be fetched, no other request is allowed (RFC 9309).`;
}

function cureContextOf({ record, steps, softwareId, robotsToken }: AdviceContext): CureContext {
  const { domain } = record;
  const unread = steps?.findLast(({ failure }) => failure !== null && UNREAD.has(failure));
  const lastRequest = unread ?? steps?.findLast(({ status, failure }) => status !== null || failure !== null);
  const forbidden = (steps ?? []).flatMap(({ url, code }) => {
    if (!isRobotsForbidden(code) || !URL.canParse(url)) return [];
    const { host, pathname, search } = new URL(url);
    return [{ host, path: pathname + search, isNamed: code === 'forbidden-to-us' }];
  });
  return {
    domain,
    host: hostOf(domain),
    port: portOf(domain),
    softwareId,
    robotsToken,
    advertisedUrl: steps?.find(({ probe }) => probe === 'nodeinfo')?.url ?? null,
    lastUrl: lastRequest !== undefined && lastRequest.probe !== 'dns' ? lastRequest.url : null,
    forbidden,
  };
}

function listingCure({ record, listing, target, isVisitor }: AdviceContext): string | null {
  if (listing.listed) return null;
  if (listing.because === 'noindex')
    return 'Send no "X-Robots-Tag: noindex" (or "none") with the configuration and NodeInfo, have no robots.txt group that shuts out Loopscout by name, and set neither "private" nor "hide_in_statistics" in the metadata of NodeInfo; all of these documents must answer, since a failed request withdraws nothing. To keep only some crawlers out, name them: "X-Robots-Tag: googlebot: noindex".';
  if (listing.because === 'same-instance')
    return `To be listed under this name instead, set app.url of the server to https://${record.domain} and answer its configuration and NodeInfo here.`;
  if (record.identifiedAs === 'alias' && target === null && !isVisitor)
    return `${record.aliasOf ?? 'The other host'} is not known yet: request a visit with loopscout add ${record.aliasOf ?? ''}.`;
  return null;
}

/** Advice on the facts that an instance lacks or reports wrongly. */
function factCures(context: AdviceContext): string[] {
  const { knownFacts } = context;
  if (knownFacts === null) return [];
  const { facts } = knownFacts;
  const cures: string[] = [];
  const hasNoCounts = facts.usage.users === null && facts.usage.posts === null;
  if (facts.federation === false)
    cures.push(
      `Federation is off, and with it NodeInfo: counts of users and posts are ${hasNoCounts ? 'unknown' : 'from an earlier visit'} until federation is on.`,
    );
  else if (facts.flags.includes('nodeinfo-unavailable'))
    cures.push('Make NodeInfo answer: it is the only source of user and post counts.');
  const cureContext = cureContextOf(context);
  for (const flag of facts.flags) {
    if (flag === 'wrong-type-field' && facts.notes.length > 0) continue;
    const cure = FLAG_CURES[flag]?.(cureContext);
    if (cure !== undefined) cures.push(cure);
  }
  if (facts.notes.length > 0)
    cures.push(
      `Correct the fields of the wrong type: ${facts.notes.map(({ field, problem }) => `${field} is ${problem}`).join('; ')}.`,
    );
  return cures;
}

function nextVisitAdvice({ record, listing, now, isVisitor }: AdviceContext): string[] {
  // The server asked for fewer requests, so no earlier visit is suggested.
  if (record.reason === 'rate-limited') return [];
  const isWell = listing.listed && record.state === 'active' && record.verdict === 'loops';
  if (isWell || record.nextVisit === null) return [];
  if (isVisitor)
    return record.nextVisit > now + HOUR_MS ? [`The next visit is due at ${utcText(record.nextVisit)}.`] : [SOON];
  if (record.nextVisit < now - DAY_MS)
    return [`${visitNowAdvice(record.domain)} The next one is long overdue: is the service running (loopscout run)?`];
  if (record.nextVisit <= now + HOUR_MS) return [SOON];
  return [`${visitNowAdvice(record.domain)} Without that, the next one is due at ${utcText(record.nextVisit)}.`];
}

const SOON = 'The next visit is due soon, and will show the effect.';

function visitNowAdvice(domain: string): string {
  return `For a visit now: loopscout add ${domain}.`;
}
