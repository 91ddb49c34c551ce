import { UNNAMED_HOST } from '../http/admit-host.ts';
import { type HttpFailure, parseRetryAfter, type StrictError } from '../http/failure.ts';
import { locationUrl } from '../http/response-headers.ts';
import { ROBOTS_MAX_BYTES } from '../http/robots.ts';
import type { GetOptions, HttpResult, VisitClient } from '../http/visit-client.ts';
import { type Domain, isLocal } from '../model/domain/domain.ts';
import { parseDomain } from '../model/domain/parse-domain.ts';
import { siteOf } from '../model/domain/registrable-domain.ts';
import type { Probe, Step } from '../model/step.ts';
import type { ReceivedPage } from './classify-responses.ts';
import { isUsualPort } from './documents.ts';
import type { VisitBuilder } from './visit-builder.ts';
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

/** The rules of a robots.txt. */
export interface RobotsRules {
  /** Why the rules forbid a request to a target (path and query); null when it is allowed. */
  refusalOf(probe: Probe, target: string): StepNote | null;
}

/** The code and the sentence of a step's note. */
export type StepNote = Required<Pick<Step, 'code' | 'note'>>;

/** A third-party host that a visit needs has reached its limit of contacts. */
export class ThirdPartyLimitError extends Error {
  override readonly name = 'ThirdPartyLimitError';
  readonly url: string;

  constructor(url: URL) {
    super(`${url.host} was contacted too often within the last hour`);
    this.url = url.href;
  }
}

/** The wait before the one retry of a 5xx. */
const RETRY_WAIT_MS = 250;
const MAX_REDIRECTS = 3;
/** Third-party sites that one visit may contact: for redirects of robots.txt, for the NodeInfo document, and for the robots.txt there. */
const MAX_THIRD_PARTIES = 3;
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
 * Sends all requests of a visit. A visit retries at most one 5xx, one without Retry-After: a server with a cold cache often fails its first
 * request.
 */
export class VisitRequests {
  readonly builder: VisitBuilder;
  readonly client: VisitClient;
  readonly context: VisitContext;
  /** Every answer to a document request. */
  readonly pages: ReceivedPage[] = [];
  /** The Crawl-delay of the visited host, in milliseconds. That of other hosts is ignored. */
  delayMs = 0;
  readonly #contacted = new Set<string>();
  #mayRetry = true;
  #hasRequested = false;

  constructor(builder: VisitBuilder, client: VisitClient, context: VisitContext) {
    this.builder = builder;
    this.client = client;
    this.context = context;
  }

  /**
   * Sends a probe and follows its redirects within the host.
   *
   * @param rules of the requested host. They are checked for every redirect; the caller checks the first request.
   * @param givenTarget the path and query to send unchanged. Default: the path and query of the URL. A redirect uses those of its own URL.
   */
  async ask(probe: Exclude<Probe, 'dns'>, start: URL, rules: RobotsRules, givenTarget?: string): Promise<Answer> {
    const { builder, client, context } = this;
    const { domain, steps, noindex } = builder;
    let url = start;
    let target = givenTarget;
    for (let redirects = 0; ; ) {
      await this.#obeyCrawlDelay(url);
      const result = await client.get(url, { ...REQUESTS[probe], target });
      const step = stepOf(probe, target === undefined ? url.href : url.origin + target, result);
      steps.push(step);
      if (result.kind === 'failure') return { kind: 'failure', failure: result.failure };
      const { status, headers } = result;
      if (probe !== 'robots') {
        this.pages.push({ page: result, step });
        if (url.host === domain) noindex.readAnswer(probe, result);
      }
      if (status >= 200 && status < 300) return { kind: 'document', body: result.body };

      const retryAfterMs = parseRetryAfter(headers['retry-after'], context.now());
      if (status >= 500 && retryAfterMs === null && this.#mayRetry) {
        this.#mayRetry = false;
        await client.wait(RETRY_WAIT_MS);
        continue;
      }
      if (status < 300 || status >= 400 || headers.location === undefined)
        return { kind: 'status', status, retryAfterMs };

      const mayLeave = probe === 'robots' && !isLocal(domain);
      const hop = await this.#judgeRedirect(url, headers.location, mayLeave);
      Object.assign(step, hop.note);
      if (result.strictError !== undefined) step.note = `${hop.note.note}; ${STRICT_ERROR_WORDS[result.strictError]}`;
      if ('answer' in hop) return hop.answer;
      if (++redirects > (probe === 'robots' ? MAX_ROBOTS_REDIRECTS : MAX_REDIRECTS))
        return { kind: 'redirect-failed', reason: 'redirect-loop' };
      const forbidden = rules.refusalOf(probe, hop.next.pathname + hop.next.search);
      if (forbidden !== null) {
        step.code = forbidden.code;
        step.note = `${hop.note.note}, which was ${forbidden.note}`;
        return { kind: 'forbidden' };
      }
      url = hop.next;
      target = undefined;
    }
  }

  /**
   * Whether the visit may send requests to a URL, perhaps of a third-party host, whose contact is then counted. False when the visit must do
   * without the host. @throws {ThirdPartyLimitError}
   */
  async mayLeadTo(url: URL): Promise<boolean> {
    const { builder, client, context } = this;
    const site = siteOf(url.host);
    if (site === siteOf(builder.domain) || this.#contacted.has(site)) return true;
    if (this.#contacted.size === MAX_THIRD_PARTIES) return false;
    const addresses = await client.addressesOf(url);
    // The host has no usable address: the request will contact nothing, and will report why.
    if (typeof addresses === 'string') return true;
    const visit = { domain: builder.domain, isSubmission: context.isSubmission };
    if (!context.thirdParties.mayContact(url, addresses, visit)) throw new ThirdPartyLimitError(url);
    this.#contacted.add(site);
    return true;
  }

  recordUnsent(probe: Exclude<Probe, 'dns'>, url: string, why: StepNote): void {
    this.builder.steps.push({ probe, url: url.slice(0, 500), status: null, ms: 0, bytes: 0, failure: null, ...why });
  }

  async #obeyCrawlDelay(url: URL): Promise<void> {
    if (url.host !== this.builder.domain) return;
    if (this.#hasRequested && this.delayMs > 0) await this.client.wait(this.delayMs);
    this.#hasRequested = true;
  }

  /**
   * A redirect within the host is followed, but never from https to http. A redirect to another host or port is followed only with
   * `mayLeave`, and not from https to http; otherwise it ends the probe. The ports 80, 443 and the domain's own are allowed, as for an
   * href.
   *
   * @param mayLeave whether a redirect to another public host is followed too.
   */
  async #judgeRedirect(from: URL, location: string, mayLeave: boolean): Promise<Hop> {
    const { builder, context } = this;
    const { domain } = builder;
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
    const shown = context.optOuts.covers(target) ? UNNAMED_HOST : target.host.slice(0, 200);
    if (isDowngrade && target.hostname === from.hostname) return refused(`redirects from https to http://${shown}`);
    if (target.host === from.host) {
      target.hash = '';
      return followed(target.pathname.slice(0, 200), target);
    }
    if (!isUsualPort(target, domain)) return refused(`redirects to ${shown}, a port that is not requested`);
    const other = parseDomain(target.host, context);
    if (!other.ok) return refused(`redirects to ${target.host}, which is not a public host`.slice(0, 200));
    if (context.optOuts.covers(target)) {
      if (mayLeave) return refused(`redirects to ${UNNAMED_HOST}`);
      const note = { code: 'redirect-elsewhere', note: `redirects to ${UNNAMED_HOST}` } as const;
      return { note, answer: { kind: 'redirected', to: null } };
    }
    if (mayLeave && !isDowngrade) {
      if (!(await this.mayLeadTo(target))) return refused(`redirects to ${UNNAMED_HOST}`);
      return followed(other.domain, target);
    }
    const text = `redirects to ${other.domain}`;
    const note = { code: 'redirect-elsewhere', redirectsTo: other.domain, note: text } as const;
    return { note, answer: { kind: 'redirected', to: other.domain } };
  }
}

type Hop = { note: StepNote & Pick<Step, 'redirectsTo'> } & ({ next: URL } | { answer: Answer });

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
