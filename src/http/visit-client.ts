import { Agent as HttpAgent, request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import type { SecureContext } from 'node:tls';
import got, { type RequestFunction } from 'got';
import type { AddressGuard } from './address-guard.ts';
import { failureOf, type HttpFailure } from './failure.ts';
import { type BodyRead, readBody } from './read-body.ts';
import type { HostAddress, Resolver } from './resolver.ts';
import { createWatchdog, type TimeLimits, type Watched } from './watchdog.ts';

/** What came of one request. Bodies are decompressed; `ms` is the whole request, `bytes` the body's length. */
export type HttpResult =
  | { kind: 'answer'; status: number; headers: IncomingHttpHeaders; body: Uint8Array; ms: number; bytes: number }
  /** `status` is null when no answer began. */
  | { kind: 'failure'; failure: HttpFailure; status: number | null; ms: number; bytes: number };

/** The HTTP client of one visit: one connection pool, gone with the visit. */
export interface VisitClient {
  /**
   * One GET at a time, no redirect followed, no retry but for a kept connection that turns out to be closed. Never rejects
   * for what the other side does.
   */
  get(url: URL, accept: string): Promise<HttpResult>;
  /** Closes every connection of the visit and ends a request under way. */
  close(): void;
}

export interface HttpOptions extends TimeLimits {
  secureContext: SecureContext;
  guard: AddressGuard;
  resolver: Resolver;
  userAgent: string;
  /** Of a body after decompression. */
  maxBodyBytes: number;
  /** Monotonic, in milliseconds. */
  clock: () => number;
}

/**
 * Makes the client for one visit to `host`, whose addresses have been resolved and judged already: they are what is
 * connected to, so a name cannot change its address between the judgement and the connection.
 */
export type OpenVisitClient = (host: string, addresses: readonly HostAddress[]) => VisitClient;

/** Node tries the addresses of a name in turn; its default of 250 ms each is too short for a slow but sound server. */
const ADDRESS_ATTEMPT_MS = 2_500;

export function createHttp(options: HttpOptions): OpenVisitClient {
  const { secureContext, guard, resolver, visitMs, maxBodyBytes, clock } = options;
  const watchdog = createWatchdog(options, clock);
  const request = got.extend({
    headers: { 'user-agent': options.userAgent },
    retry: { limit: 0 },
    followRedirect: false,
    throwHttpErrors: false,
    request: leanRequest,
  });

  return (host, addresses) => {
    const pinned = new Map([[host, addresses]]);
    const lookup = pinnedLookup(pinned);
    const agentOptions = { keepAlive: true, maxSockets: 2, lookup, autoSelectFamilyAttemptTimeout: ADDRESS_ATTEMPT_MS };
    const httpsAgent = new HttpsAgent({ ...agentOptions, secureContext, maxCachedSessions: 0 });
    let httpAgent: HttpAgent | null = null;
    const agentFor = (url: URL) => {
      if (url.protocol === 'https:') return { https: httpsAgent };
      httpAgent ??= new HttpAgent(agentOptions);
      return { http: httpAgent };
    };
    const visitStartedAt = clock();
    let underWay: Watched | null = null;
    let isClosed = false;
    const isOver = () => isClosed || clock() - visitStartedAt >= visitMs;

    async function send(url: URL, accept: string): Promise<BodyRead> {
      const read = readBody(request.stream(url, { agent: agentFor(url), headers: { accept } }), maxBodyBytes);
      underWay = read;
      watchdog.watch(read, visitStartedAt);
      const outcome = await read.done;
      watchdog.unwatch(read);
      underWay = null;
      return outcome;
    }

    return {
      async get(url, accept) {
        const start = clock();
        const failed = (failure: HttpFailure, status: number | null = null, bytes = 0): HttpResult => {
          return { kind: 'failure', failure, status, ms: clock() - start, bytes };
        };
        if (isOver()) return failed('visit-timeout');
        const refusal = await admit(url, pinned, guard, resolver);
        if (refusal !== null) return failed(refusal);
        if (isOver()) return failed('visit-timeout');

        let outcome = await send(url, accept);
        // A server may close a kept connection just as the next request leaves: no word on the host (RFC 9112 section 9.5).
        if (outcome.wasStale && wordFor(outcome.error) === 'connection-reset' && !isOver())
          outcome = await send(url, accept);
        const { response, body, bytes, error } = outcome;
        if (error !== null) {
          const failure = wordFor(error);
          if (failure === null) throw error;
          return failed(failure, response?.statusCode ?? null, bytes);
        }
        return {
          kind: 'answer',
          status: response?.statusCode ?? 0,
          headers: response?.headers ?? {},
          body,
          ms: clock() - start,
          bytes,
        };
      },

      close() {
        isClosed = true;
        underWay?.end('visit-timeout');
        httpsAgent.destroy();
        httpAgent?.destroy();
      },
    };
  };
}

function wordFor(error: Error | HttpFailure | null): HttpFailure | null {
  return typeof error === 'string' ? error : failureOf(error);
}

/**
 * got hands Node some thirty options for each request, nearly all of them undefined, and Node copies them several times.
 * These are the ones that a visit sets.
 */
const leanRequest: RequestFunction = (url, { method, headers, agent }, callback) => {
  const lean = { method, headers, agent };
  return url.protocol === 'https:' ? httpsRequest(url, lean, callback) : httpRequest(url, lean, callback);
};

/** Judges where a URL leads before anything is sent. Node never asks `lookup` about a literal address, so those are judged here. */
async function admit(
  url: URL,
  pinned: Map<string, readonly HostAddress[]>,
  guard: AddressGuard,
  resolver: Resolver,
): Promise<HttpFailure | null> {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (isIP(host) !== 0) return guard(host) === null ? null : 'forbidden-address';
  if (pinned.has(host)) return null;
  const resolution = await resolver.resolve(host);
  if (!resolution.ok) return resolution.failure;
  if (resolution.addresses.some(({ address }) => guard(address) !== null)) return 'forbidden-address';
  pinned.set(host, resolution.addresses);
  return null;
}

function pinnedLookup(pinned: ReadonlyMap<string, readonly HostAddress[]>): LookupFunction {
  return (hostname, options, callback) => {
    const addresses = pinned.get(hostname);
    const [first] = addresses ?? [];
    if (addresses === undefined || first === undefined) {
      callback(Object.assign(new Error(`${hostname} was not admitted`), { code: 'ENOTFOUND' }), '', 0);
    } else if (options.all) {
      callback(null, [...addresses]);
    } else {
      callback(null, first.address, first.family);
    }
  };
}
