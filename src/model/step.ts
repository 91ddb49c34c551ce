import { z } from 'zod';
import { REASONS, Reason } from './reason.ts';

/** The purpose of a request. `dns` is the lookup before all requests. */
export const Probe = z.enum(['dns', 'robots', 'config', 'discovery', 'nodeinfo']);
export type Probe = z.infer<typeof Probe>;

/** An event in a step, for code; `note` describes it for people. */
export const StepCode = z.enum([
  /** robots.txt forbids the request, or the redirect target, to every crawler. */
  'forbidden-to-all',
  /** robots.txt forbids it in a group that names this crawler. */
  'forbidden-to-us',
  /** robots.txt was not requested: the cached copy is still valid. */
  'robots-cached',
  /** Not requested: the third-party host was contacted too often within the last hour. */
  'third-party-limit',
  /** Not requested: the robots.txt of the third-party host could not be read. */
  'robots-unavailable',
  'redirect-followed',
  /** A redirect to another host, not followed; `redirectsTo` is that host, unless it has opted out. */
  'redirect-elsewhere',
  /** A redirect to an address that must not be contacted. */
  'redirect-refused',
  /** Read leniently: a header line is folded (RFC 9112 section 5.2), or has a character that must not be there. */
  'malformed-header',
  /** Read leniently: a line of the answer ends with LF alone (RFC 9112 section 2.2). */
  'bare-line-feed',
  /** A page of bot protection instead of a document. */
  'challenge-page',
  /** A page of a domain for sale instead of a document. */
  'parked-page',
  /** The page of a newly installed web server instead of a document. */
  'default-page',
  /** A maintenance page instead of a document. */
  'maintenance-page',
  /** The page of a single-page app instead of a document. */
  'web-app',
]);
export type StepCode = z.infer<typeof StepCode>;

/** One DNS lookup or request of a visit, and its result. */
export const Step = z.object({
  probe: Probe,
  /** The URL requested, or the host looked up. */
  url: z.string(),
  /** HTTP status; null without a response. */
  status: z.number().int().nullable(),
  /** Duration in milliseconds. */
  ms: z.number().int(),
  /** Body length after decompression, in bytes. */
  bytes: z.number().int(),
  /** Why there was no usable response; null when there was. */
  failure: Reason.nullable(),
  code: StepCode.optional(),
  /** The target host of `redirect-elsewhere`. */
  redirectsTo: z.string().optional(),
  /** Details for people: where a redirect led, or why a request was not made. */
  note: z.string().optional(),
});
export type Step = z.infer<typeof Step>;

/** Whether robots.txt forbade the request of a step, or the target of its redirect. */
export function isRobotsForbidden(code: StepCode | undefined): boolean {
  return code === 'forbidden-to-all' || code === 'forbidden-to-us';
}

/**
 * The reason behind `robots-unreachable`: why the request for robots.txt failed, if known, and not at another host to which it was redirected.
 * Other reasons are returned as they are.
 */
export function underlyingReason(reason: Reason, steps: readonly Step[] | null): Reason {
  if (reason !== 'robots-unreachable') return reason;
  const requests = (steps ?? []).filter(({ probe }) => probe === 'robots');
  const step = requests.at(-1);
  if (step === undefined || URL.parse(step.url)?.host !== URL.parse(requests[0]?.url ?? '')?.host) return reason;
  if (step.failure !== null) return step.failure;
  return step.status !== null && step.status >= 500 ? 'http-5xx' : reason;
}

/**
 * The outcome of a visit, for an operator: `nothing listens at the address`.
 *
 * @param underlying see {@link underlyingReason}.
 */
export function describeOutcome(reason: Reason, underlying: Reason): string {
  if (underlying === reason) return REASONS[reason].means;
  const means = underlying === 'http-5xx' ? 'a server error' : REASONS[underlying].means;
  return `robots.txt could not be fetched (${means}), so nothing else was requested`;
}
