import type { DomainRecord } from '../model/domain-record.ts';
import { REASONS, type Reason } from '../model/reason.ts';
import { describeOutcome, type Probe, type Step, underlyingReason } from '../model/step.ts';
import { quotedName } from '../model/text/quoted-name.ts';
import { roundedDuration } from '../model/text/rounded-duration.ts';
import { MINUTE_MS, utcText } from '../model/time.ts';
import { type ExplainContext, isSimilarName } from './explain-context.ts';
import type { ExplainedStep } from './explanation.ts';

/** A duration in words, rounded: `less than a minute`, `3 hours`, `12 days`. */
export function durationWords(ms: number): string {
  const length = Math.abs(ms);
  if (length < MINUTE_MS) return 'less than a minute';
  const [count, unit] = roundedDuration(length);
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}

/** `3 hours ago`, `in 5 days`. */
export function fromNow(at: number, now: number): string {
  return at > now ? `in ${durationWords(at - now)}` : `${durationWords(now - at)} ago`;
}

/** `3 hours ago (2026-01-03 12:00 UTC)`. */
export function whenWords(at: number, now: number): string {
  return `${fromNow(at, now)} (${utcText(at)})`;
}

/** The outcome of the last visit: `nothing listens at the address`. */
export function lastVisitWords({ record: { verdict, reason, aliasOf }, steps }: ExplainContext): string {
  if (reason === null) return 'it was not visited yet';
  if (verdict === 'alias' && aliasOf !== null) return `it redirects to ${aliasOf}`;
  return describeOutcome(reason, underlyingReason(reason, steps));
}

/** `mastodon 4.2.1`; a name similar to Loops is quoted: `"loops␣" 1.0.0`. */
export function softwareWords(
  { software, version }: Pick<DomainRecord, 'software' | 'version'>,
  softwareId: string,
): string {
  if (software === null) return 'other software';
  const name = isSimilarName(software, softwareId) ? quotedName(software) : software;
  return version === null ? name : `${name} ${version}`;
}

/** A sentence on the failures in a row; empty when there are none. */
export function timesFailed({ failures, failingSince }: DomainRecord, now: number): string {
  if (failures === 0 || failingSince === null) return '';
  const since = whenWords(failingSince, now);
  return failures === 1 ? `One visit failed, ${since}.` : `${failures} visits in a row failed, the first ${since}.`;
}

/** Reasons that explain why a domain was not identified. */
const SPECIFIC_REASONS: Readonly<Partial<Record<Reason, string>>> = {
  'challenge-page': 'a challenge page stands in front of it',
  'access-refused': 'it refuses the requests of programs (403 Forbidden)',
  'parked-page': 'its name is parked or for sale',
  'default-page': 'its web server is not set up',
  'maintenance-page': 'it is under maintenance',
  'dns-nxdomain': 'its name does not exist',
  'dns-no-address': 'its name has no address',
  gone: 'it answered 410 Gone',
  'forbidden-address': 'it has no public address',
  'rate-limited': 'it asked for fewer requests',
  'robots-forbidden': 'its robots.txt forbids the visit',
};

/** Why no visit has identified a domain, as a clause: `its name does not exist`. */
export function unidentifiedWords({ verdict, reason }: Pick<DomainRecord, 'verdict' | 'reason'>): string {
  const specific = reason === null ? undefined : SPECIFIC_REASONS[reason];
  if (specific !== undefined) return specific;
  if (verdict === 'unidentified') return 'it answers, but does not say what it is';
  if (verdict === 'declined') return 'it declined the visit';
  if (reason?.startsWith('dns-')) return 'its name cannot be looked up';
  return reason?.startsWith('tls-') ? 'no secure connection to it can be made' : 'it cannot be reached';
}

const PROBE_NAMES: Readonly<Record<Probe, string>> = {
  dns: 'name look-up',
  robots: 'robots.txt',
  config: 'configuration',
  discovery: 'NodeInfo link',
  nodeinfo: 'NodeInfo',
};

/** A step with its request and its result in words. */
export function explainStep(step: Step): ExplainedStep {
  return { ...step, what: PROBE_NAMES[step.probe], came: cameWords(step) };
}

function cameWords(step: Step): string {
  const { probe, status, failure, code, note } = step;
  if (failure !== null) return withNote(REASONS[failure].means, note);
  if (status === null) return probe === 'dns' ? withNote('found', note) : (note ?? 'not requested');
  const isReadLeniently = code === 'malformed-header' || code === 'bare-line-feed';
  // For a redirect or a recognized page, the note is enough.
  return code !== undefined && note !== undefined && !isReadLeniently
    ? `${note} (${status})`
    : withNote(statusWords(step, status), note);
}

function withNote(words: string, note: string | undefined): string {
  return note === undefined ? words : `${words}: ${note}`;
}

function statusWords({ probe, bytes }: Step, status: number): string {
  const details = `(${status}${bytes > 0 ? `, ${bytes} bytes` : ''})`;
  if (status >= 200 && status < 300) return `answered ${details}`;
  if (status === 410) return `gone for good ${details}`;
  if (status === 429) return `too many requests, come back later ${details}`;
  if (status >= 500) return `server error ${details}`;
  if (probe === 'robots')
    return status === 404
      ? `there is none, so all is allowed ${details}`
      : `cannot be fetched, so all is allowed ${details}`;
  if (status === 404) return `there is none ${details}`;
  if (status === 401 || status === 403) return `access denied ${details}`;
  return `no usable answer ${details}`;
}
