import { type MayContactHost, type OptOutGuard, UNNAMED_HOST } from '../http/admit-host.ts';
import { type HttpFailure, parseRetryAfter } from '../http/failure.ts';
import { ROBOTS_MAX_BYTES } from '../http/robots.ts';
import type { GetOptions, HttpResult, VisitClient } from '../http/visit-client.ts';
import type { Domain } from '../model/domain/domain.ts';
import { parseDomain } from '../model/domain/parse-domain.ts';
import type { Probe, Step } from '../model/step.ts';
import { isUsualPort } from './documents.ts';
import type { Page } from './page-class.ts';

/** What a probe came to, once redirects within the host have been followed. */
export type Answer =
  /** A 2xx answer with its body. */
  | { kind: 'document'; body: Uint8Array }
  /** Any other status. */
  | { kind: 'status'; status: number; retryAfterMs: number | null }
  /** An HTTP redirect to another host, which is not followed: B's answer says nothing of A. */
  | { kind: 'redirected'; to: Domain }
  | { kind: 'redirect-failed'; reason: 'redirect-loop' | 'redirect-refused' }
  /** Robots.txt forbids it, or that to which it is redirected within the host. */
  | { kind: 'forbidden' }
  | { kind: 'failure'; failure: HttpFailure };

/** Why a request to a target (path and query) on a host may not be made, or null when it may. */
export type RobotsGate = (probe: Probe, target: string) => StepNote | null;

/** What a step says besides its status: a word and a sentence. */
export type StepNote = Required<Pick<Step, 'code' | 'note'>>;

/**
 * @param gate what robots.txt says of the host that is asked; each redirect is judged by it, the first request is the caller's to judge.
 * @param target the path and query to send as they stand; unless given, those of the URL. Redirects go by their URL.
 */
export type Ask = (probe: Exclude<Probe, 'dns'>, url: URL, gate: RobotsGate, target?: string) => Promise<Answer>;

export interface AskOptions {
  client: VisitClient;
  /** Each request is written down here as it ends. */
  steps: Step[];
  now: () => number;
  allowSuffixes: readonly string[];
  /** Whom it names is not asked, and named in no step. */
  isOptedOut: OptOutGuard;
  mayContactHost: MayContactHost;
  /** Waits before the one retry of a 5xx. */
  pause: () => Promise<void>;
  /** The domain visited. */
  domain: Domain;
  /** How long its host wants to be left alone between requests, in milliseconds. */
  restMs: () => number;
  /** Is given what came for a document that was asked for, be it one or not, and whether the visited host sent it. */
  onAnswer: (page: Page, step: Step, isOwn: boolean) => void;
}

const MAX_REDIRECTS = 3;
/** RFC 9309 section 2.3.1.2: at least five, to other hosts too. */
const MAX_ROBOTS_REDIRECTS = 5;
const JSON_DOCUMENT: GetOptions = { accept: 'application/json' };
const REQUESTS: Readonly<Record<Exclude<Probe, 'dns'>, GetOptions>> = {
  robots: { accept: 'text/plain', cutAtBytes: ROBOTS_MAX_BYTES },
  config: JSON_DOCUMENT,
  discovery: JSON_DOCUMENT,
  nodeinfo: JSON_DOCUMENT,
};

/** Makes the function that a visit asks everything with. A visit retries one 5xx: a cold cache answers one, then works. */
export function createAsk(options: AskOptions): Ask {
  const { client, steps, now, allowSuffixes, isOptedOut, mayContactHost, pause, onAnswer, domain, restMs } = options;
  let mayRetry = true;
  let hasAsked = false;

  async function rest(url: URL): Promise<void> {
    if (url.host !== domain) return;
    if (hasAsked && restMs() > 0) await client.rest(restMs());
    hasAsked = true;
  }

  return async function ask(probe, start, gate, givenTarget) {
    let url = start;
    let target = givenTarget;
    for (let redirects = 0; ; ) {
      await rest(url);
      const result = await client.get(url, { ...REQUESTS[probe], target });
      const step = stepOf(probe, target === undefined ? url.href : url.origin + target, result);
      steps.push(step);
      if (result.kind === 'failure') return { kind: 'failure', failure: result.failure };
      const { status, headers } = result;
      if (probe !== 'robots') onAnswer(result, step, url.host === domain);
      if (status >= 200 && status < 300) return { kind: 'document', body: result.body };

      const retryAfterMs = parseRetryAfter(headers['retry-after'], now());
      if (status >= 500 && retryAfterMs === null && mayRetry) {
        mayRetry = false;
        await pause();
        continue;
      }
      if (status < 300 || status >= 400 || headers.location === undefined)
        return { kind: 'status', status, retryAfterMs };

      const hop = judgeRedirect(url, headers.location, {
        domain,
        allowSuffixes,
        isOptedOut,
        mayContactHost,
        mayLeave: probe === 'robots',
      });
      Object.assign(step, hop.told);
      if ('answer' in hop) return hop.answer;
      if (++redirects > (probe === 'robots' ? MAX_ROBOTS_REDIRECTS : MAX_REDIRECTS))
        return { kind: 'redirect-failed', reason: 'redirect-loop' };
      const forbidden = gate(probe, hop.next.pathname + hop.next.search);
      if (forbidden !== null) {
        step.code = forbidden.code;
        step.note = `${hop.told.note}, which was ${forbidden.note}`;
        return { kind: 'forbidden' };
      }
      url = hop.next;
      target = undefined;
    }
  };
}

interface RedirectLimits extends Pick<AskOptions, 'domain' | 'allowSuffixes' | 'isOptedOut' | 'mayContactHost'> {
  /** Whether one to another public host is followed as well. */
  mayLeave: boolean;
}

type Hop = { told: StepNote & Pick<Step, 'redirectsTo'> } & ({ next: URL } | { answer: Answer });

/**
 * Within the host a redirect is followed, but never from https to http; to another host, or port, it is an answer. As an href, it
 * may lead to the ports 80, 443 and that of the domain alone.
 */
function judgeRedirect(
  from: URL,
  location: string,
  { domain, allowSuffixes, isOptedOut, mayContactHost, mayLeave }: RedirectLimits,
): Hop {
  const target = URL.parse(location, from.href);
  const refused = (why: string): Hop => ({
    told: { code: 'redirect-refused', note: why },
    answer: { kind: 'redirect-failed', reason: 'redirect-refused' },
  });
  if (target === null) return refused('redirects to something that is no URL');
  if (target.protocol !== 'https:' && target.protocol !== 'http:')
    return refused(`redirects to a ${target.protocol} URL`);
  if (target.username !== '' || target.password !== '') return refused('redirects to a URL with a user name');
  // The root label, if it is written, is the same host (RFC 1034 section 3.1).
  target.hostname = target.hostname.replace(/\.$/, '');
  const isDowngrade = target.protocol === 'http:' && from.protocol === 'https:';
  if (isDowngrade && target.hostname === from.hostname) return refused('redirects from https to http');
  if (target.host === from.host) {
    target.hash = '';
    return followed(target.pathname.slice(0, 200), target);
  }
  if (!isUsualPort(target, domain)) return refused(`redirects to port ${target.port}`);
  const other = parseDomain(target.host, { allowSuffixes });
  if (!other.ok) return refused(`redirects to ${target.host}, which is no public host`.slice(0, 200));
  if (isOptedOut(target)) {
    if (mayLeave) return refused(`redirects to ${UNNAMED_HOST}`);
    const told = { code: 'redirect-elsewhere', note: `redirects to ${UNNAMED_HOST}` } as const;
    return { told, answer: { kind: 'redirected', to: other.domain } };
  }
  if (mayLeave && !isDowngrade && !mayContactHost(target, domain)) return refused(`redirects to ${UNNAMED_HOST}`);
  if (mayLeave && !isDowngrade) return followed(other.domain, target);
  const note = `redirects to ${other.domain}`;
  const told = { code: 'redirect-elsewhere', redirectsTo: other.domain, note } as const;
  return { told, answer: { kind: 'redirected', to: other.domain } };
}

function followed(to: string, next: URL): Hop {
  return { told: { code: 'redirect-followed', note: `redirects to ${to}` }, next };
}

function stepOf(probe: Probe, url: string, result: HttpResult): Step {
  return {
    probe,
    url: url.slice(0, 500),
    status: result.status,
    ms: Math.round(result.ms),
    bytes: result.bytes,
    failure: result.kind === 'failure' ? result.failure : null,
    ...(result.kind === 'failure' && result.detail !== undefined ? { note: result.detail } : {}),
  };
}
