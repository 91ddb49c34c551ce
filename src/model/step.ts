import { z } from 'zod';
import { REASONS, Reason } from './reason.ts';

/** What a request was made for. `dns` is the look-up that precedes them all. */
export const Probe = z.enum(['dns', 'robots', 'config', 'discovery', 'nodeinfo']);
export type Probe = z.infer<typeof Probe>;

/** What else happened at a step, for code to go by; `note` says it in words. */
export const StepCode = z.enum([
  /** No request, or none to where this one redirects: robots.txt forbids it to every crawler. */
  'forbidden-to-all',
  /** The same, by a group of robots.txt that names this crawler. */
  'forbidden-to-us',
  /** No request for robots.txt: the copy of an earlier visit still holds. */
  'robots-cached',
  /** No request: the robots.txt of this other host could not be read. */
  'robots-unavailable',
  /** A redirect that was followed. */
  'redirect-followed',
  /** A redirect to another host, which was not followed; `redirectsTo` is that host, unless it has opted out. */
  'redirect-elsewhere',
  /** A redirect to an address that is never asked. */
  'redirect-refused',
  /** A page instead of a document: of bot protection, */
  'challenge-page',
  /** of a domain for sale, */
  'parked-page',
  /** of a fresh web server, */
  'default-page',
  /** of a server under maintenance, */
  'maintenance-page',
  /** of a single-page app. */
  'web-app',
]);
export type StepCode = z.infer<typeof StepCode>;

/** One thing a visit did: a look-up or a request, and how it went. */
export const Step = z.object({
  probe: Probe,
  /** The URL asked, or the host looked up. */
  url: z.string(),
  /** HTTP status; null when no answer came. */
  status: z.number().int().nullable(),
  /** How long it took, in milliseconds. */
  ms: z.number().int(),
  /** Body length after decompression, in bytes. */
  bytes: z.number().int(),
  /** Why it gave no usable answer, or null. */
  failure: Reason.nullable(),
  /** What else happened; missing when nothing did, or when `failure` says it. */
  code: StepCode.optional(),
  /** The host that `redirect-elsewhere` is about. */
  redirectsTo: z.string().optional(),
  /** What else a reader should know: where a redirect led, why a request was not made. */
  note: z.string().optional(),
});
export type Step = z.infer<typeof Step>;

/** Whether robots.txt forbade the request of a step, or the redirect that it met. */
export function isRobotsForbidden(code: StepCode | undefined): boolean {
  return code === 'forbidden-to-all' || code === 'forbidden-to-us';
}

/**
 * What stands behind the reason of a visit: where robots.txt could not be had, how the request for it failed. `robots-unreachable`
 * itself where that is not known.
 */
export function causeOf(reason: Reason, steps: readonly Step[] | null): Reason {
  if (reason !== 'robots-unreachable') return reason;
  const asked = steps?.findLast(({ probe }) => probe === 'robots');
  if (asked === undefined) return reason;
  if (asked.failure !== null) return asked.failure;
  return asked.status !== null && asked.status >= 500 ? 'http-5xx' : reason;
}

/**
 * How a visit ended, in words for an operator: `nothing listens at the address`.
 *
 * @param cause what stands behind the reason.
 */
export function endingWords(reason: Reason, cause: Reason): string {
  if (cause === reason) return REASONS[reason].means;
  const means = cause === 'http-5xx' ? 'a server error' : REASONS[cause].means;
  return `robots.txt could not be had (${means}), so nothing else was asked`;
}
