import type { X509Certificate } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { SecureContext } from 'node:tls';
import type { Clock, EpochMs } from '../model/time.ts';
import type { AddressGuard } from './address-guard.ts';
import {
  admitHost,
  NO_OPT_OUTS,
  type OptOuts,
  type ThirdPartySlots,
  UNLIMITED_SLOTS,
  waitForSlot,
} from './admit-host.ts';
import { type Certificate, certificateProblem, readCertificate } from './certificate.ts';
import { type Connector, connectTcp } from './connect-tcp.ts';
import { AnswerError, failureOf, type HttpFailure, parserWords, type StrictError, strictErrorOf } from './failure.ts';
import { openRequest } from './open-request.ts';
import { createPinnedAgents, type PinnedAgentsOptions } from './pinned-agents.ts';
import { type BodyLimit, type BodyRead, readBody } from './read-body.ts';
import type { HostAddress, Resolver } from './resolver.ts';
import { headersOf, problemOfLenientRead } from './response-headers.ts';
import { createWatchdog, type TimeLimits, type Watched } from './watchdog.ts';

/**
 * The result of one request. Bodies are decompressed; `ms` includes the look-up and the wait for a slot; `bytes` is the length of the
 * body that was read.
 */
export type HttpResult = {
  ms: number;
  bytes: number;
  /** Why the answer was read once more, leniently. */
  strictError?: StrictError;
} & (
  | { kind: 'answer'; status: number; headers: IncomingHttpHeaders; body: Uint8Array }
  /** `status` is null when no answer began; `detail` explains the failure in words. */
  | {
      kind: 'failure';
      failure: HttpFailure;
      status: number | null;
      /** The headers of an answer that began before the failure. */
      headers?: IncomingHttpHeaders;
      detail?: string;
    }
);

type FailedResult = Extract<HttpResult, { kind: 'failure' }>;

export interface GetOptions {
  /** The Accept header. */
  accept: string;
  headers?: Readonly<Record<string, string>> | undefined;
  /** The request target (RFC 9112 section 3.2.1) to send unchanged. Default: the path and query of the URL. */
  target?: string | undefined;
  /** Truncates the body at this length. Without it, a body over `maxBodyBytes` is a failure. */
  truncateAtBytes?: number;
}

export interface SendOptions extends GetOptions {
  method: 'GET' | 'POST' | 'OPTIONS';
  /** Body of a POST. A request with the header `expect` has none: it ends with the answer 100 Continue or a final one. */
  body?: string | undefined;
}

/** The HTTP client of one visit, with its own connection pool. */
export interface VisitClient {
  /**
   * Sends one GET at a time. Follows no redirect and retries only when a reused connection turns out to be closed. An answer that only the
   * lenient parser may read is requested once more, on a connection of its own. Never rejects because of the remote side.
   */
  get(url: URL, options: GetOptions): Promise<HttpResult>;
  /** Resolves the host of a URL and pins the addresses for the rest of the visit. Returns the failure that a request would have. */
  addressesOf(url: URL): Promise<readonly HostAddress[] | HttpFailure>;
  /** The certificate of a host of this visit; null before the first TLS connection to it. */
  certificateOf(host: string): Pick<Certificate, 'validTo'> | null;
  /** The address at which a host of this visit answered over TLS; null when it did not. */
  answeredAt(host: string): string | null;
  /** Waits between requests; the wait does not count towards the time of the visit. */
  wait(ms: number): Promise<void>;
  /** Closes every connection and ends a running request or wait. */
  close(): void;
}

/** A client for other methods too, with the same guards and limits. */
export interface WebClient extends VisitClient {
  certificateOf(host: string): Certificate | null;
  /** Like {@link VisitClient.get}, but without a retry on a closed connection. */
  send(url: URL, options: SendOptions): Promise<HttpResult>;
}

export interface HttpOptions extends TimeLimits {
  secureContext: SecureContext;
  guard: AddressGuard;
  resolver: Resolver;
  userAgent: string;
  /** Maximum bytes of a body after decompression. */
  maxBodyBytes: number;
  /** Maximum bytes of all bodies of a visit. Default: 1 MiB. */
  maxVisitBytes?: number;
  clock: Clock;
  /** Default: no request waits. */
  thirdParties?: ThirdPartySlots;
  /** For messages about dates. Default `Date.now`. */
  now?: () => EpochMs;
  /** Opens every connection. Default: TCP. */
  connector?: Connector;
  /** Checked before a name is resolved and again before every request. Default: no opt-outs. */
  optOuts?: OptOuts;
  /** Checked before every request; false means that the visit's budget is spent. Default: no budget. */
  mayRequest?: () => boolean;
}

/**
 * Creates the client for one visit to `host`. Its addresses are already resolved and judged, and connections go to them only, so a name
 * cannot change its address between the check and the connection.
 */
export type OpenVisitClient = (host: string, addresses: readonly HostAddress[]) => VisitClient;
export type OpenWebClient = (...visit: Parameters<OpenVisitClient>) => WebClient;

export const MAX_VISIT_BYTES = 1_048_576;

export function createHttp(options: HttpOptions): OpenWebClient {
  const { secureContext, guard, resolver, visitMs, maxBodyBytes, clock, thirdParties = UNLIMITED_SLOTS } = options;
  const { connector = connectTcp, maxVisitBytes = MAX_VISIT_BYTES, now = Date.now } = options;
  const { mayRequest = () => true, optOuts = NO_OPT_OUTS, userAgent } = options;
  const watchdog = createWatchdog(options, clock);

  return (host, addresses) => {
    const pinned = new Map([[host, addresses]]);
    const certificates = new Map<string, X509Certificate>();
    const answered = new Map<string, string>();
    const connections: PinnedAgentsOptions = { secureContext, connector, pinned, guard, certificates, answered };
    const agents = createPinnedAgents(connections);
    let visitStartedAt = clock();
    let bytesLeft = maxVisitBytes;
    let current: Watched | null = null;
    let isClosed = false;
    const closed = Promise.withResolvers<null>();
    const leftMs = () => visitMs - (clock() - visitStartedAt);
    const isOver = () => isClosed || leftMs() <= 0;

    async function exchange(url: URL, options: SendOptions, pool = agents): Promise<BodyRead> {
      const { method, accept, headers, body, target, truncateAtBytes } = options;
      const maxBytes = Math.min(truncateAtBytes ?? maxBodyBytes, bytesLeft);
      const limit: BodyLimit = { maxBytes, truncates: truncateAtBytes !== undefined };
      const agent = pool.agentFor(url);
      const isLenient = pool !== agents;
      const request = openRequest(url, userAgent, {
        method,
        agent,
        headers: { accept, ...headers },
        target,
        isLenient,
      });
      const read = readBody(request, limit);
      request.end(method === 'POST' ? body : undefined);
      current = read;
      watchdog.watch(read, visitStartedAt);
      const outcome = await read.done;
      watchdog.unwatch(read);
      current = null;
      bytesLeft = Math.max(0, bytesLeft - outcome.body.length - outcome.informationalBytes);
      return outcome;
    }

    /** Reads an answer leniently. A parser that forgives must not read a second answer from the same connection. */
    async function exchangeLeniently(url: URL, options: SendOptions): Promise<BodyRead> {
      const ownConnection = createPinnedAgents(connections);
      try {
        const outcome = await exchange(url, options, ownConnection);
        const problem = outcome.response === undefined ? null : problemOfLenientRead(outcome.response);
        return problem === null ? outcome : { ...outcome, error: new AnswerError('invalid-http', problem) };
      } finally {
        ownConnection.destroy();
      }
    }

    /** Takes a slot only at third-party addresses, because the visit already holds slots at those of the visited host. */
    async function takeSlot(resolved: readonly HostAddress[]): Promise<(() => void) | null> {
      const elsewhere = resolved.filter(({ address }) => !addresses.some((own) => own.address === address));
      if (elsewhere.length === 0) return () => undefined;
      const start = clock();
      const release = await waitForSlot(thirdParties.admit(elsewhere), closed.promise);
      // Our own throttling does not count towards the time of the visit.
      if (release !== null) visitStartedAt += clock() - start;
      return release;
    }

    async function send(url: URL, sendOptions: SendOptions, isRepeatable: boolean): Promise<HttpResult> {
      const start = clock();
      const failed = (failure: HttpFailure, status: number | null = null, bytes = 0): FailedResult => {
        return { kind: 'failure', failure, status, ms: clock() - start, bytes };
      };
      // Callers check opt-outs before; this catches one that arrives during the visit, and ends the visit.
      if (isOver() || optOuts.covers(url)) return failed('visit-timeout');
      const resolved = await admitHost(url, pinned, guard, resolver);
      if (typeof resolved === 'string') return failed(resolved);
      if (isOver()) return failed('visit-timeout');
      const release = await takeSlot(resolved);
      if (release === null) return failed('visit-timeout');

      const isAllowed = () => !isOver() && !optOuts.covers(url) && mayRequest();
      let outcome: BodyRead;
      let strictError: StrictError | null;
      try {
        if (!isAllowed()) return failed('visit-timeout');
        outcome = await exchange(url, sendOptions);
        // A server may close an idle connection just as the next request is sent (RFC 9112 section 9.5).
        const isLost = outcome.wasStale && failureWord(outcome.error) === 'connection-reset';
        if (isLost && isRepeatable && isAllowed()) outcome = await exchange(url, sendOptions);
        strictError = strictErrorOf(outcome.error);
        if (strictError !== null && isAllowed()) outcome = await exchangeLeniently(url, sendOptions);
      } finally {
        release();
      }
      const { response, body, bytes, error } = outcome;
      const leniency = strictError === null ? {} : { strictError };
      if (error !== null) {
        const failure = failureWord(error);
        if (failure === null) throw error;
        const words = parserWords(error);
        const detail = words === null ? detailOf(failure, certificates.get(url.hostname), now()) : { detail: words };
        return {
          ...failed(failure, response?.statusCode ?? null, bytes),
          headers: response && headersOf(response),
          ...detail,
          ...leniency,
        };
      }
      return {
        kind: 'answer',
        // Without an answer and an error, it was 100 Continue.
        status: response?.statusCode ?? 100,
        headers: response === undefined ? {} : headersOf(response),
        body,
        ms: clock() - start,
        bytes,
        ...leniency,
      };
    }

    return {
      get: (url, getOptions) => send(url, { method: 'GET', ...getOptions }, true),

      send: (url, sendOptions) => send(url, sendOptions, false),

      addressesOf: (url) => admitHost(url, pinned, guard, resolver),

      certificateOf: (name) => readCertificate(certificates.get(name)),

      answeredAt: (name) => answered.get(name) ?? null,

      async wait(ms) {
        const { promise: elapsed, resolve } = Promise.withResolvers<null>();
        const timer = setTimeout(() => resolve(null), ms);
        const start = clock();
        await Promise.race([elapsed, closed.promise]);
        clearTimeout(timer);
        visitStartedAt += clock() - start;
      },

      close() {
        isClosed = true;
        closed.resolve(null);
        current?.end('visit-timeout');
        agents.destroy();
      },
    };
  };
}

function detailOf(failure: HttpFailure, peer: X509Certificate | undefined, now: number): { detail?: string } {
  if (failure !== 'tls-expired' && failure !== 'tls-wrong-name' && failure !== 'tls-untrusted') return {};
  const certificate = readCertificate(peer);
  return certificate === null ? {} : { detail: certificateProblem(failure, certificate, now) };
}

function failureWord(error: Error | HttpFailure | null): HttpFailure | null {
  return typeof error === 'string' ? error : failureOf(error);
}
