import { UNNAMED_HOST } from '../http/admit-host.ts';
import { type HttpFailure, parseRetryAfter, type StrictError } from '../http/failure.ts';
import type { Page } from '../http/page-class.ts';
import { locationUrl } from '../http/response-headers.ts';
import { ROBOTS_MAX_BYTES } from '../http/robots.ts';
import type { GetOptions, HttpResult, VisitClient } from '../http/visit-client.ts';
import { type Domain, isLocal } from '../model/domain/domain.ts';
import { parseDomain } from '../model/domain/parse-domain.ts';
import type { Probe, Step } from '../model/step.ts';
import { isUsualPort } from './documents.ts';
import type { VisitContext } from './visit-context.ts';

/** The outcome of a probe after following redirects within the host. */
export type Answer =
  /** A 2xx answer with its body. */
  | { kind: 'document'; body: Uint8Array }
  /** Any other status. */
  | { kind: 'status'; status: number; retryAfterMs: number | null }
  /** An HTTP redirect to another host, null if that opted out. It is not followed, because the answer of one host never identifies another. */
  | { kind: 'redirected'; to: Domain | null }
  | { kind: 'redirect-failed'; reason: 'redirect-loop' | 'redirect-refused' }
  /** robots.txt forbids the request or the target of a redirect within the host. */
  | { kind: 'forbidden' }
  | { kind: 'failure'; failure: HttpFailure };

/** Why robots.txt forbids a request to a target (path and query); null when it is allowed. */
export type RobotsGate = (probe: Probe, target: string) => StepNote | null;

/** The code and the sentence of a step's note. */
export type StepNote = Required<Pick<Step, 'code' | 'note'>>;

/**
 * Sends a probe and follows its redirects within the host.
 *
 * @param gate robots.txt rules of the requested host. They are checked for every redirect; the caller checks the first request.
 * @param target the path and query to send unchanged. Default: the path and query of the URL. A redirect uses those of its own URL.
 */
export type Ask = (probe: Exclude<Probe, 'dns'>, url: URL, gate: RobotsGate, target?: string) => Promise<Answer>;

export interface AskOptions {
  client: VisitClient;
  context: VisitContext;
  /** Receives the step of each request when the request ends. */
  steps: Step[];
  /** Counts the contact with a third-party host. False when the visit must do without the host; throws when the limit of the host is reached. */
  mayContact: (url: URL) => Promise<boolean>;
  /** The visited domain. */
  domain: Domain;
  /** The Crawl-delay of the visited host, in milliseconds. That of other hosts is ignored. */
  delayMs: () => number;
  /** Called with every answer to a document request, and whether it came from the visited host. */
  onAnswer: (page: Page, step: Step, isOwn: boolean) => void;
}

/** The wait before the one retry of a 5xx. */
const RETRY_WAIT_MS = 250;
const MAX_REDIRECTS = 3;
/** RFC 9309 section 2.3.1.2: at least five, also to other hosts. */
const MAX_ROBOTS_REDIRECTS = 5;
const JSON_DOCUMENT: GetOptions = { accept: 'application/json' };
const REQUESTS: Readonly<Record<Exclude<Probe, 'dns'>, GetOptions>> = {
  // Uncompressed: nothing in a robots.txt proves that a compressed one was not cut.
  robots: { accept: 'text/plain', truncateAtBytes: ROBOTS_MAX_BYTES, headers: { 'accept-encoding': 'identity' } },
  config: JSON_DOCUMENT,
  discovery: JSON_DOCUMENT,
  nodeinfo: JSON_DOCUMENT,
};

/**
 * Creates the function that sends all requests of a visit. A visit retries at most one 5xx, one without Retry-After: a server with a cold
 * cache often fails its first request.
 */
export function createAsk(options: AskOptions): Ask {
  const { client, context, steps, onAnswer, domain, delayMs } = options;
  let mayRetry = true;
  let hasRequested = false;

  async function obeyCrawlDelay(url: URL): Promise<void> {
    if (url.host !== domain) return;
    if (hasRequested && delayMs() > 0) await client.wait(delayMs());
    hasRequested = true;
  }

  return async function ask(probe, start, gate, givenTarget) {
    let url = start;
    let target = givenTarget;
    for (let redirects = 0; ; ) {
      await obeyCrawlDelay(url);
      const result = await client.get(url, { ...REQUESTS[probe], target });
      const step = stepOf(probe, target === undefined ? url.href : url.origin + target, result);
      steps.push(step);
      if (result.kind === 'failure') return { kind: 'failure', failure: result.failure };
      const { status, headers } = result;
      if (probe !== 'robots') onAnswer(result, step, url.host === domain);
      if (status >= 200 && status < 300) return { kind: 'document', body: result.body };

      const retryAfterMs = parseRetryAfter(headers['retry-after'], context.now());
      if (status >= 500 && retryAfterMs === null && mayRetry) {
        mayRetry = false;
        await client.wait(RETRY_WAIT_MS);
        continue;
      }
      if (status < 300 || status >= 400 || headers.location === undefined)
        return { kind: 'status', status, retryAfterMs };

      const mayLeave = probe === 'robots' && !isLocal(domain);
      const hop = await judgeRedirect(url, headers.location, mayLeave, options);
      Object.assign(step, hop.note);
      if (result.strictError !== undefined) step.note = `${hop.note.note}; ${STRICT_ERROR_WORDS[result.strictError]}`;
      if ('answer' in hop) return hop.answer;
      if (++redirects > (probe === 'robots' ? MAX_ROBOTS_REDIRECTS : MAX_REDIRECTS))
        return { kind: 'redirect-failed', reason: 'redirect-loop' };
      const forbidden = gate(probe, hop.next.pathname + hop.next.search);
      if (forbidden !== null) {
        step.code = forbidden.code;
        step.note = `${hop.note.note}, which was ${forbidden.note}`;
        return { kind: 'forbidden' };
      }
      url = hop.next;
      target = undefined;
    }
  };
}

type Hop = { note: StepNote & Pick<Step, 'redirectsTo'> } & ({ next: URL } | { answer: Answer });

/**
 * A redirect within the host is followed, but never from https to http. A redirect to another host or port is followed only with
 * `mayLeave`, and not from https to http; otherwise it ends the probe. The ports 80, 443 and the domain's own are allowed, as for an
 * href.
 *
 * @param mayLeave whether a redirect to another public host is followed too.
 */
async function judgeRedirect(
  from: URL,
  location: string,
  mayLeave: boolean,
  { domain, context, mayContact }: AskOptions,
): Promise<Hop> {
  const target = locationUrl(location, from.href);
  const refused = (why: string): Hop => ({
    note: { code: 'redirect-refused', note: why },
    answer: { kind: 'redirect-failed', reason: 'redirect-refused' },
  });
  if (target === null) return refused('redirects to an invalid URL');
  if (target.protocol !== 'https:' && target.protocol !== 'http:')
    return refused(`redirects to a ${target.protocol} URL`);
  if (target.username !== '' || target.password !== '') return refused('redirects to a URL with a user name');
  // A trailing dot (the root label) names the same host (RFC 1034 section 3.1).
  target.hostname = target.hostname.replace(/\.$/, '');
  const isDowngrade = target.protocol === 'http:' && from.protocol === 'https:';
  const shown = context.isOptedOut(target) ? UNNAMED_HOST : target.host.slice(0, 200);
  if (isDowngrade && target.hostname === from.hostname) return refused(`redirects from https to http://${shown}`);
  if (target.host === from.host) {
    target.hash = '';
    return followed(target.pathname.slice(0, 200), target);
  }
  if (!isUsualPort(target, domain)) return refused(`redirects to ${shown}, a port that is not requested`);
  const other = parseDomain(target.host, context);
  if (!other.ok) return refused(`redirects to ${target.host}, which is not a public host`.slice(0, 200));
  if (context.isOptedOut(target)) {
    if (mayLeave) return refused(`redirects to ${UNNAMED_HOST}`);
    const note = { code: 'redirect-elsewhere', note: `redirects to ${UNNAMED_HOST}` } as const;
    return { note, answer: { kind: 'redirected', to: null } };
  }
  if (mayLeave && !isDowngrade) {
    if (!(await mayContact(target))) return refused(`redirects to ${UNNAMED_HOST}`);
    return followed(other.domain, target);
  }
  const text = `redirects to ${other.domain}`;
  const note = { code: 'redirect-elsewhere', redirectsTo: other.domain, note: text } as const;
  return { note, answer: { kind: 'redirected', to: other.domain } };
}

function followed(to: string, next: URL): Hop {
  return { note: { code: 'redirect-followed', note: `redirects to ${to}` }, next };
}

function stepOf(probe: Probe, url: string, result: HttpResult): Step {
  return {
    probe,
    url: url.slice(0, 500),
    status: result.status,
    ms: Math.round(result.ms),
    bytes: result.bytes,
    failure: result.kind === 'failure' ? result.failure : null,
    ...wireNote(result),
  };
}

const STRICT_ERROR_WORDS: Readonly<Record<StrictError, string>> = {
  'malformed-header': 'read leniently: a header line is folded or malformed',
  'bare-line-feed': 'read leniently: a line of its headers ends with LF alone, not with CR LF',
};

/** What was wrong with the headers, or why there is no answer. */
function wireNote(result: HttpResult): Pick<Step, 'code' | 'note'> {
  const code = result.strictError === undefined ? {} : { code: result.strictError };
  if (result.kind === 'failure') return { ...code, ...(result.detail === undefined ? {} : { note: result.detail }) };
  return result.strictError === undefined ? {} : { ...code, note: STRICT_ERROR_WORDS[result.strictError] };
}
