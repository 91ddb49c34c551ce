import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP } from 'node:net';
import type { PeerCertificate, SecureContext } from 'node:tls';
import got, { type RequestFunction } from 'got';
import type { AddressGuard } from './address-guard.ts';
import { type Certificate, certificateProblem, readCertificate } from './certificate.ts';
import { ACCEPT_ENCODING } from './decoder.ts';
import { type Connector, connectTcp } from './dial.ts';
import { failureOf, type HttpFailure } from './failure.ts';
import { ADMIT_ALL, type AdmitGuest, waitForPlace } from './guest-place.ts';
import { headersOf } from './headers-of.ts';
import { mostAddresses } from './most-addresses.ts';
import { createPinnedAgents } from './pinned-agents.ts';
import { type BodyLimit, type BodyRead, readBody } from './read-body.ts';
import type { HostAddress, Resolver } from './resolver.ts';
import { createWatchdog, type TimeLimits, type Watched } from './watchdog.ts';

/** What came of one request. Bodies are decompressed; `ms` is the whole request, `bytes` the body's length. */
export type HttpResult =
  | { kind: 'answer'; status: number; headers: IncomingHttpHeaders; body: Uint8Array; ms: number; bytes: number }
  /** `status` is null when no answer began; `detail` says in words what the failure alone does not. */
  | { kind: 'failure'; failure: HttpFailure; status: number | null; ms: number; bytes: number; detail?: string };

export interface GetOptions {
  /** The Accept header. */
  accept: string;
  /** The request target (RFC 9112 section 3.2.1) to send as it stands; unless given, the path and query of the URL. */
  target?: string | undefined;
  /** Reads so many bytes of the body and leaves the rest; unless given, a body over `maxBodyBytes` is a failure. */
  cutAtBytes?: number;
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
  admitGuest?: AdmitGuest;
  /** Milliseconds since the epoch, for words about dates. Default `Date.now`. */
  now?: () => number;
  /** Opens every connection. Default: TCP. */
  connector?: Connector;
}

/**
 * Makes the client for one visit to `host`, whose addresses have been resolved and judged already: they are what is
 * connected to, so a name cannot change its address between the judgement and the connection.
 */
export type OpenVisitClient = (host: string, addresses: readonly HostAddress[]) => VisitClient;

/** A visit holds no more than this of what it was sent. */
const MAX_VISIT_BYTES = 1_048_576;

export function createHttp(options: HttpOptions): OpenVisitClient {
  const { secureContext, guard, resolver, visitMs, maxBodyBytes, clock, admitGuest = ADMIT_ALL } = options;
  const { connector = connectTcp, maxVisitBytes = MAX_VISIT_BYTES, now = Date.now } = options;
  const watchdog = createWatchdog(options, clock);
  const request = got.extend({
    headers: { 'user-agent': options.userAgent, 'accept-encoding': ACCEPT_ENCODING },
    decompress: false,
    // The lists are copied for each request, and with no retries nobody reads them.
    retry: { limit: 0, methods: [], statusCodes: [], errorCodes: [] },
    followRedirect: false,
    throwHttpErrors: false,
    request: leanRequest(),
  });

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

    async function send(url: URL, { accept, target, cutAtBytes }: GetOptions): Promise<BodyRead> {
      const maxBytes = Math.min(cutAtBytes ?? maxBodyBytes, bytesLeft);
      const limit: BodyLimit = { maxBytes, isCut: cutAtBytes !== undefined };
      const sent = { agent: agents.agentFor(url), headers: { accept } };
      const stream = request.stream(url, target === undefined ? sent : { ...sent, request: leanRequest(target) });
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
      const leave = await waitForPlace(admitGuest(elsewhere), closed.promise);
      // It is we who throttle: the wait is not held against the host.
      if (leave !== null) visitStartedAt += clock() - start;
      return leave;
    }

    return {
      async get(url, getOptions) {
        const start = clock();
        const failed = (failure: HttpFailure, status: number | null = null, bytes = 0): HttpResult => {
          return { kind: 'failure', failure, status, ms: clock() - start, bytes };
        };
        if (isOver()) return failed('visit-timeout');
        const reached = await admit(url, pinned, guard, resolver);
        if (typeof reached === 'string') return failed(reached);
        if (isOver()) return failed('visit-timeout');
        const leave = await enter(reached);
        if (leave === null) return failed('visit-timeout');

        let outcome: BodyRead;
        try {
          if (isOver()) return failed('visit-timeout');
          outcome = await send(url, getOptions);
          // A server may close a kept connection just as the next request leaves: no word on the host (RFC 9112 section 9.5).
          if (outcome.wasStale && wordFor(outcome.error) === 'connection-reset' && !isOver())
            outcome = await send(url, getOptions);
        } finally {
          leave();
        }
        const { response, body, bytes, error } = outcome;
        if (error !== null) {
          const failure = wordFor(error);
          if (failure === null) throw error;
          const detail = detailOf(failure, certificates.get(url.hostname), now());
          return { ...failed(failure, response?.statusCode ?? null, bytes), ...detail };
        }
        return {
          kind: 'answer',
          status: response?.statusCode ?? 0,
          headers: headersOf(response),
          body,
          ms: clock() - start,
          bytes,
        };
      },

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
 * got hands Node some thirty options for each request, nearly all of them undefined, and Node copies them several times.
 * These are the ones that a visit sets.
 *
 * @param target takes the place of the path and query of the URL, which parsing has altered.
 */
function leanRequest(target?: string): RequestFunction {
  return (url, { method, headers, agent }, callback) => {
    const lean = target === undefined ? { method, headers, agent } : { method, headers, agent, path: target };
    return url.protocol === 'https:' ? httpsRequest(url, lean, callback) : httpRequest(url, lean, callback);
  };
}

/** Judges the addresses that a URL leads to, before anything is sent, and pins them: they are what is connected to. */
async function admit(
  url: URL,
  pinned: Map<string, readonly HostAddress[]>,
  guard: AddressGuard,
  resolver: Resolver,
): Promise<readonly HostAddress[] | HttpFailure> {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const known = pinned.get(host);
  if (known !== undefined) return known;
  const family = isIP(host);
  if (family !== 0) {
    if (guard(host) !== null) return 'forbidden-address';
    const literal: HostAddress[] = [{ address: host, family: family === 4 ? 4 : 6 }];
    pinned.set(host, literal);
    return literal;
  }
  const resolution = await resolver.resolve(host);
  if (!resolution.ok) return resolution.failure;
  if (resolution.addresses.some(({ address }) => guard(address) !== null)) return 'forbidden-address';
  const most = mostAddresses(resolution.addresses);
  pinned.set(host, most);
  return most;
}
