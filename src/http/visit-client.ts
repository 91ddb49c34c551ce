import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { PeerCertificate, SecureContext } from 'node:tls';
import type { AddressGuard } from './address-guard.ts';
import {
  ADMIT_IMMEDIATELY,
  type AdmitThirdParty,
  admitHost,
  NO_OPT_OUTS,
  type OptOutGuard,
  waitForSlot,
} from './admit-host.ts';
import { type Certificate, certificateProblem, readCertificate } from './certificate.ts';
import { type Connector, connectTcp } from './connect-tcp.ts';
import { createGot, createMinimalRequest } from './create-got.ts';
import { failureOf, type HttpFailure } from './failure.ts';
import { createPinnedAgents } from './pinned-agents.ts';
import { type BodyLimit, type BodyRead, readBody } from './read-body.ts';
import type { HostAddress, Resolver } from './resolver.ts';
import { createWatchdog, type TimeLimits, type Watched } from './watchdog.ts';

/** What came of one request. Bodies are decompressed; `ms` is the whole request, `bytes` the body's length. */
export type HttpResult =
  | { kind: 'answer'; status: number; headers: IncomingHttpHeaders; body: Uint8Array; ms: number; bytes: number }
  /** `status` is null when no answer began; `detail` says in words what the failure alone does not. */
  | {
      kind: 'failure';
      failure: HttpFailure;
      status: number | null;
      /** Of an answer that began. */
      headers?: IncomingHttpHeaders;
      ms: number;
      bytes: number;
      detail?: string;
    };

export interface GetOptions {
  /** The Accept header. */
  accept: string;
  /** The request target (RFC 9112 section 3.2.1) to send as it stands; unless given, the path and query of the URL. */
  target?: string | undefined;
  /** Reads so many bytes of the body and leaves the rest; unless given, a body over `maxBodyBytes` is a failure. */
  cutAtBytes?: number;
}

export interface SendOptions extends GetOptions {
  method: 'GET' | 'POST' | 'OPTIONS';
  headers?: Readonly<Record<string, string>> | undefined;
  /** Of a POST. */
  body?: string | undefined;
}

/** The HTTP client of one visit: one connection pool, gone with the visit. */
export interface VisitClient {
  /**
   * One GET at a time, no redirect followed, no retry but for a kept connection that turns out to be closed. Never rejects
   * for what the other side does.
   */
  get(url: URL, options: GetOptions): Promise<HttpResult>;
  /** The certificate that a host of this visit came with, once it has. */
  certificateOf(host: string): Certificate | null;
  /** Waits because the host asks for time between requests; it is not held against the time of the visit. */
  rest(ms: number): Promise<void>;
  /** Closes every connection of the visit and ends a request under way, or the wait before it. */
  close(): void;
}

/** A client that asks with other methods too, guarded and limited as any. */
export interface WebClient extends VisitClient {
  /** As {@link VisitClient.get}, but nothing is sent twice. */
  send(url: URL, options: SendOptions): Promise<HttpResult>;
}

export interface HttpOptions extends TimeLimits {
  secureContext: SecureContext;
  guard: AddressGuard;
  resolver: Resolver;
  userAgent: string;
  /** Of a body after decompression. */
  maxBodyBytes: number;
  /** Of all bodies of a visit; what goes beyond it is too large as well. Default 1 MiB. */
  maxVisitBytes?: number;
  /** Monotonic, in milliseconds. */
  clock: () => number;
  /** Unless given, no request waits. */
  admitThirdParty?: AdmitThirdParty;
  /** Milliseconds since the epoch, for words about dates. Default `Date.now`. */
  now?: () => number;
  /** Opens every connection. Default: TCP. */
  connector?: Connector;
  /** Whom it names is sent nothing: asked before the name is looked up, and again before every request. Default: nobody. */
  isOptedOut?: OptOutGuard;
  /** Is asked before every request that would be sent; false: the visit has no more to spend. Default: it always has. */
  mayRequest?: () => boolean;
}

/**
 * Makes the client for one visit to `host`, whose addresses have been resolved and judged already: they are what is
 * connected to, so a name cannot change its address between the judgement and the connection.
 */
export type OpenVisitClient = (host: string, addresses: readonly HostAddress[]) => VisitClient;
export type OpenWebClient = (...visit: Parameters<OpenVisitClient>) => WebClient;

/** A visit holds no more than this of what it was sent. */
const MAX_VISIT_BYTES = 1_048_576;

export function createHttp(options: HttpOptions): OpenWebClient {
  const { secureContext, guard, resolver, visitMs, maxBodyBytes, clock, admitThirdParty = ADMIT_IMMEDIATELY } = options;
  const { connector = connectTcp, maxVisitBytes = MAX_VISIT_BYTES, now = Date.now } = options;
  const { mayRequest = () => true, isOptedOut = NO_OPT_OUTS } = options;
  const watchdog = createWatchdog(options, clock);
  const request = createGot(options.userAgent);

  return (host, addresses) => {
    const pinned = new Map([[host, addresses]]);
    const certificates = new Map<string, PeerCertificate>();
    const agents = createPinnedAgents({
      secureContext,
      connector,
      // Judged once more at the last moment: nothing between here and the connection can change the address.
      onCertificate: (name, certificate) => certificates.set(name, certificate),
      addressesOf: (name) => (pinned.get(name) ?? []).filter(({ address }) => guard(address) === null),
    });
    let visitStartedAt = clock();
    let bytesLeft = maxVisitBytes;
    let underWay: Watched | null = null;
    let isClosed = false;
    const closed = Promise.withResolvers<null>();
    const leftMs = () => visitMs - (clock() - visitStartedAt);
    const isOver = () => isClosed || leftMs() <= 0;

    async function exchange(url: URL, options: SendOptions): Promise<BodyRead> {
      const { method, accept, headers, body, target, cutAtBytes } = options;
      const maxBytes = Math.min(cutAtBytes ?? maxBodyBytes, bytesLeft);
      const limit: BodyLimit = { maxBytes, isCut: cutAtBytes !== undefined };
      const sent = {
        method,
        agent: agents.agentFor(url),
        headers: { accept, ...headers },
        ...(method === 'POST' ? { body: body ?? '' } : {}),
      };
      const stream = request.stream(
        url,
        target === undefined ? sent : { ...sent, request: createMinimalRequest(target) },
      );
      if (method === 'OPTIONS') stream.end();
      const read = readBody(stream, limit);
      underWay = read;
      watchdog.watch(read, visitStartedAt);
      const outcome = await read.done;
      watchdog.unwatch(read);
      underWay = null;
      bytesLeft = Math.max(0, bytesLeft - outcome.body.length);
      return outcome;
    }

    /** At the addresses of the visited host, the visit has its place already. */
    async function enter(reached: readonly HostAddress[]): Promise<(() => void) | null> {
      const elsewhere = reached.filter(({ address }) => !addresses.some((own) => own.address === address));
      if (elsewhere.length === 0) return () => undefined;
      const start = clock();
      const leave = await waitForSlot(admitThirdParty(elsewhere), closed.promise);
      // It is we who throttle: the wait is not held against the host.
      if (leave !== null) visitStartedAt += clock() - start;
      return leave;
    }

    async function send(url: URL, sendOptions: SendOptions, isRepeatable: boolean): Promise<HttpResult> {
      const start = clock();
      const failed = (failure: HttpFailure, status: number | null = null, bytes = 0): HttpResult => {
        return { kind: 'failure', failure, status, ms: clock() - start, bytes };
      };
      // Whoever leads to such a host is told apart before; what remains is an opt-out that comes while a visit runs, and ends it.
      if (isOver() || isOptedOut(url)) return failed('visit-timeout');
      const reached = await admitHost(url, pinned, guard, resolver);
      if (typeof reached === 'string') return failed(reached);
      if (isOver()) return failed('visit-timeout');
      const leave = await enter(reached);
      if (leave === null) return failed('visit-timeout');

      let outcome: BodyRead;
      try {
        if (isOver() || isOptedOut(url) || !mayRequest()) return failed('visit-timeout');
        outcome = await exchange(url, sendOptions);
        // A server may close a kept connection just as the next request leaves: no word on the host (RFC 9112 section 9.5).
        const isLost = outcome.wasStale && wordFor(outcome.error) === 'connection-reset';
        if (isLost && isRepeatable && !isOver() && !isOptedOut(url) && mayRequest())
          outcome = await exchange(url, sendOptions);
      } finally {
        leave();
      }
      const { response, body, bytes, error } = outcome;
      if (error !== null) {
        const failure = wordFor(error);
        if (failure === null) throw error;
        const detail = detailOf(failure, certificates.get(url.hostname), now());
        const began = response === undefined ? {} : { headers: headersOf(response) };
        return { ...failed(failure, response?.statusCode ?? null, bytes), ...began, ...detail };
      }
      return {
        kind: 'answer',
        status: response?.statusCode ?? 0,
        headers: headersOf(response),
        body,
        ms: clock() - start,
        bytes,
      };
    }

    return {
      get: (url, getOptions) => send(url, { method: 'GET', ...getOptions }, true),

      send: (url, sendOptions) => send(url, sendOptions, false),

      certificateOf: (name) => readCertificate(certificates.get(name)),

      async rest(ms) {
        const { promise: rested, resolve } = Promise.withResolvers<null>();
        const timer = setTimeout(() => resolve(null), ms);
        const start = clock();
        await Promise.race([rested, closed.promise]);
        clearTimeout(timer);
        visitStartedAt += clock() - start;
      },

      close() {
        isClosed = true;
        closed.resolve(null);
        underWay?.end('visit-timeout');
        agents.destroy();
      },
    };
  };
}

function detailOf(failure: HttpFailure, peer: PeerCertificate | undefined, now: number): { detail?: string } {
  if (failure !== 'tls-expired' && failure !== 'tls-wrong-name' && failure !== 'tls-untrusted') return {};
  const certificate = readCertificate(peer);
  return certificate === null ? {} : { detail: certificateProblem(failure, certificate, now) };
}

function wordFor(error: Error | HttpFailure | null): HttpFailure | null {
  return typeof error === 'string' ? error : failureOf(error);
}

/**
 * The headers of an answer; none when none began. Node joins the lines of a header that was sent twice, but in an `X-Robots-Tag` each
 * begins anew: they are a list.
 */
function headersOf(response: IncomingMessage | undefined): IncomingHttpHeaders {
  const tag = response?.headers['x-robots-tag'];
  if (response === undefined || tag === undefined) return response?.headers ?? {};
  const { rawHeaders } = response;
  const lines = rawHeaders.filter(
    (_, index) => rawHeaders[index - 1]?.toLowerCase() === 'x-robots-tag' && index % 2 === 1,
  );
  return lines.length < 2 ? response.headers : { ...response.headers, 'x-robots-tag': lines };
}
