import { hostOf, portOf } from '../model/domain/domain.ts';
import type { KeptFacts } from '../model/facts/kept-facts.ts';
import type { Reason } from '../model/reason.ts';
import { causeOf, isRobotsForbidden } from '../model/step.ts';
import type { Verdict } from '../model/verdict.ts';
import { cureOf, FLAG_CURES, type Patient } from './cures.ts';
import type { Story } from './explain-context.ts';
import { utc } from './words.ts';

export interface ChangeContext {
  story: Story;
  kept: KeptFacts | null;
  robotsToken: string;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** What its operator can do to be listed, or shown better, and what time will do; the nearest cure first. */
export function whatWouldChange(context: ChangeContext): string[] {
  const { record, listing } = context.story;
  if (record.lastVisit === null) return [visitNow(record.domain)];
  const cures: (string | null)[] = [];
  if (record.verdict !== null && record.reason !== null)
    cures.push(cureOfVisit(record.verdict, record.reason, context));
  if (!listing.listed) cures.push(becauseOf(context));
  if (listing.listed && record.verdict === 'loops') cures.push(...wantingFacts(context));
  return [...cures.filter((cure) => cure !== null), ...whenAgain(context)];
}

/** Where robots.txt could not be had, the cure is that of what the request for it met. */
function cureOfVisit(verdict: Verdict, reason: Reason, context: ChangeContext): string | null {
  const patient = patientOf(context);
  const cause = causeOf(reason, context.story.steps);
  const cure = cause === reason || cause === 'http-5xx' ? null : cureOf(verdict, cause, patient);
  if (cure === null) return cureOf(verdict, reason, patient);
  return `${cure} Until robots.txt can be had, nothing else may be asked (RFC 9309).`;
}

function patientOf({ story: { record, steps, softwareId }, robotsToken }: ChangeContext): Patient {
  const { domain } = record;
  const tooLarge = steps?.findLast(({ failure }) => failure === 'body-too-large');
  const asked = tooLarge ?? steps?.findLast(({ status, failure }) => status !== null || failure !== null);
  const forbidden = (steps ?? []).flatMap(({ url, code }) => {
    if (!isRobotsForbidden(code) || !URL.canParse(url)) return [];
    const { host, pathname, search } = new URL(url);
    return [{ host, path: pathname + search }];
  });
  return {
    domain,
    host: hostOf(domain),
    port: portOf(domain),
    softwareId,
    robotsToken,
    advertisedUrl: steps?.find(({ probe }) => probe === 'nodeinfo')?.url ?? null,
    lastUrl: asked !== undefined && asked.probe !== 'dns' ? asked.url : null,
    forbidden,
  };
}

function becauseOf({ story: { record, listing, target } }: ChangeContext): string | null {
  if (listing.listed) return null;
  if (listing.because === 'noindex')
    return 'Send no "X-Robots-Tag: noindex" (or "none") with the configuration and NodeInfo, have no group in robots.txt that closes the site to Loopscout by name, and neither "private" nor "hide_in_statistics" in the metadata of NodeInfo; answer with each of these, since one that is missing takes nothing back. To keep only some crawlers out, name them: "X-Robots-Tag: googlebot: noindex".';
  if (listing.because === 'same-instance')
    return `To be listed under this name instead, set app.url of the instance to https://${record.domain} and answer its configuration and NodeInfo here.`;
  if (record.conclusive === 'alias' && target === null)
    return `${record.aliasOf ?? 'The other host'} is not known yet: ask for a visit with loopscout add ${record.aliasOf ?? ''}.`;
  return null;
}

/** What a Loops instance could tell and does not. */
function wantingFacts(context: ChangeContext): string[] {
  const { kept } = context;
  if (kept === null) return [];
  const { facts } = kept;
  const wanting: string[] = [];
  const countless = facts.usage.users === null && facts.usage.posts === null;
  if (facts.federation === false)
    wanting.push(
      `Federation is off, and with it NodeInfo: counts of users and posts are ${countless ? 'unknown' : 'those of earlier'}. They come once federation is on.`,
    );
  else if (facts.flags.includes('nodeinfo-unavailable'))
    wanting.push('Let NodeInfo answer: counts of users and posts come from there alone.');
  const patient = patientOf(context);
  for (const flag of facts.flags) {
    if (flag === 'wrong-type-field' && facts.notes.length > 0) continue;
    const cure = FLAG_CURES[flag]?.(patient);
    if (cure !== undefined) wanting.push(cure);
  }
  if (facts.notes.length > 0)
    wanting.push(
      `Mend what is of the wrong type: ${facts.notes.map(({ field, problem }) => `${field} is ${problem}`).join('; ')}.`,
    );
  return wanting;
}

function whenAgain({ story: { record, listing, now } }: ChangeContext): string[] {
  // Whoever asks to be left alone for a while is.
  if (record.reason === 'rate-limited') return [];
  const isWell = listing.listed && record.state === 'active' && record.verdict === 'loops';
  if (isWell || record.nextVisit === null) return [];
  if (record.nextVisit < now - DAY_MS)
    return [`${visitNow(record.domain)} The next one is long overdue: is the service running (loopscout run)?`];
  if (record.nextVisit <= now + HOUR_MS) return ['The next visit is due soon, and will show whether it helped.'];
  return [`${visitNow(record.domain)} Without that, the next one is due at ${utc(record.nextVisit)}.`];
}

function visitNow(domain: string): string {
  return `For a visit now: loopscout add ${domain}.`;
}
