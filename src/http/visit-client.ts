import { Agent as HttpAgent, type IncomingHttpHeaders } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import type { SecureContext } from 'node:tls';
import got from 'got';
import type { AddressGuard } from './address-guard.ts';
import { failureOf, type HttpFailure } from './failure.ts';
import { readBody } from './read-body.ts';
import type { HostAddress, Resolver } from './resolver.ts';

/** What came of one request. Bodies are decompressed; `ms` is the whole request, `bytes` the body's length. */
export type HttpResult =
  | { kind: 'answer'; status: number; headers: IncomingHttpHeaders; body: Uint8Array; ms: number; bytes: number }
  /** `status` is null when no answer began. */
  | { kind: 'failure'; failure: HttpFailure; status: number | null; ms: number; bytes: number };

/** The HTTP client of one visit: one connection pool, gone with the visit. */
export interface VisitClient {
  /** One GET, no redirect followed, no retry. Never rejects for what the other side does. */
  get(url: URL, accept: string): Promise<HttpResult>;
  /** Closes every connection of the visit and ends a request under way. */
  close(): void;
}

export interface HttpOptions {
  secureContext: SecureContext;
  guard: AddressGuard;
  resolver: Resolver;
  userAgent: string;
  connectMs: number;
  /** From the request sent to the first byte of the answer; as long again for its body. */
  responseMs: number;
  /** For the whole visit. */
  visitMs: number;
  /** Of a body after decompression. */
  maxBodyBytes: number;
  /** Monotonic, in milliseconds. */
  clock: () => number;
}

/**
 * Makes the client for one visit to `host`, whose addresses have been resolved and judged already: they are what is
 * connected to, so a name can not change its address between the judgement and the connection.
 */
export type OpenVisitClient = (host: string, addresses: readonly HostAddress[]) => VisitClient;

/** Node tries the addresses of a name in turn; its default of 250 ms each is too short for a slow but sound server. */
const ADDRESS_ATTEMPT_MS = 2_500;

export function createHttp(options: HttpOptions): OpenVisitClient {
  const { secureContext, guard, resolver, connectMs, responseMs, visitMs, maxBodyBytes, clock } = options;
  const request = got.extend({
    headers: { 'user-agent': options.userAgent },
    timeout: { connect: connectMs, secureConnect: connectMs, response: responseMs, read: responseMs },
    retry: { limit: 0 },
    followRedirect: false,
    throwHttpErrors: false,
  });

  return (host, addresses) => {
    const pinned = new Map([[host, addresses]]);
    const lookup = pinnedLookup(pinned);
    const agentOptions = { keepAlive: true, maxSockets: 2, lookup, autoSelectFamilyAttemptTimeout: ADDRESS_ATTEMPT_MS };
    const agent = {
      https: new HttpsAgent({ ...agentOptions, secureContext, maxCachedSessions: 0 }),
      http: new HttpAgent(agentOptions),
    };
    const underWay = new Set<{ end(failure: HttpFailure): void }>();
    let isOver = false;
    const deadline = setTimeout(() => finish('visit-timeout'), visitMs);

    function finish(failure: HttpFailure): void {
      isOver = true;
      for (const read of underWay) read.end(failure);
    }

    return {
      async get(url, accept) {
        const start = clock();
        const failed = (failure: HttpFailure, status: number | null = null, bytes = 0): HttpResult => {
          return { kind: 'failure', failure, status, ms: clock() - start, bytes };
        };
        if (isOver) return failed('visit-timeout');
        const refusal = await admit(url, pinned, guard, resolver);
        if (refusal !== null) return failed(refusal);
        if (isOver) return failed('visit-timeout');

        const read = readBody(request.stream(url, { agent, headers: { accept } }), maxBodyBytes);
        underWay.add(read);
        const { response, body, bytes, error } = await read.done;
        underWay.delete(read);
        if (error !== null) {
          const failure = typeof error === 'string' ? error : failureOf(error);
          if (failure === null) throw error;
          return failed(failure, response?.statusCode ?? null, bytes);
        }
        return { kind: 'answer', status: response?.statusCode ?? 0, headers: response?.headers ?? {}, body, ms: clock() - start, bytes };
      },

      close() {
        clearTimeout(deadline);
        finish('visit-timeout');
        agent.https.destroy();
        agent.http.destroy();
      },
    };
  };
}

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
