import { Resolver as DnsResolver } from 'node:dns/promises';
import { LRUCache } from 'lru-cache';
import PQueue from 'p-queue';
import type { Clock } from '../model/time.ts';
import { type DnsFailure, dnsFailureOf } from './dns-failure.ts';
import { withTimeout } from './with-timeout.ts';

/** An address of a host. */
export interface HostAddress {
  address: string;
  family: 4 | 6;
}

export type Resolution =
  | {
      ok: true;
      addresses: readonly [HostAddress, ...HostAddress[]];
      /** The shortest time to live of its records. */
      ttlSeconds: number;
    }
  | { ok: false; failure: DnsFailure };

/** Resolves host names to addresses; failures are values. */
export interface Resolver {
  resolve(host: string): Promise<Resolution>;
  /** Whether the DNS servers answer, tested with a query that every resolver can answer. A refusal (REFUSED) is no answer. */
  isAnswering(): Promise<boolean>;
  /**
   * Whether the DNS servers can resolve anything. A server without a working upstream answers every query with SERVFAIL or NXDOMAIN,
   * including those for the root and for the largest top-level domains. A refusal (REFUSED) is no sign of a missing upstream.
   */
  canResolve(): Promise<boolean>;
  /** Ends every running look-up with `dns-timeout`; later ones work as usual. */
  cancel(): void;
}

export interface ResolverOptions {
  /** `ADDRESS[:PORT]`; empty for the system's. */
  servers: readonly string[];
  /** For one try. A query is abandoned after {@link DEADLINE_FACTOR} times this, however many servers there are. */
  timeoutMs: number;
}

/** Answers to the query for the root that prove a working server. A server that refuses us does not work for us. */
const PROOFS_OF_ANSWER: ReadonlySet<string> = new Set([
  'ENOTFOUND',
  'ENODATA',
  'ESERVFAIL',
  'ENOTIMP',
  'EBADRESP',
  'EFORMERR',
]);

/** The errors of a server that has no working upstream or cannot be reached, for names that exist. */
const BROKEN: ReadonlySet<string> = new Set(['ENOTFOUND', 'ESERVFAIL', 'ETIMEOUT', 'ECONNREFUSED', 'ECANCELLED']);

/**
 * When A and AAAA fail differently, the result is the failure that comes first in this list. `dns-no-address` is last because it concerns
 * one family only.
 */
const PRECEDENCE: readonly DnsFailure[] = [
  'dns-nxdomain',
  'dns-timeout',
  'dns-refused',
  'dns-servfail',
  'dns-no-address',
];

/**
 * How long to wait for one family once the other has addresses or NXDOMAIN. Some name servers never answer AAAA queries (RFC 8305
 * section 3), and some answer NXDOMAIN for a name that merely has no AAAA record (RFC 4074 section 4.2).
 */
const OTHER_FAMILY_MS = 1_000;

/** The deadline of a query, as a multiple of `timeoutMs`: c-ares tries each server twice and waits longer the second time. */
export const DEADLINE_FACTOR = 5;

interface Found extends HostAddress {
  ttlSeconds: number;
}

type FamilyAnswer = Found[] | DnsFailure;

/** The answers of both families, or of one alone when it is conclusive and the other is late. */
async function bothFamilies(v4: Promise<FamilyAnswer>, v6: Promise<FamilyAnswer>): Promise<FamilyAnswer[]> {
  const all = Promise.all([v4, v6]);
  const first = await Promise.race([v4, v6]);
  const isConclusive = typeof first !== 'string' || first === 'dns-nxdomain';
  return isConclusive ? withTimeout<FamilyAnswer[]>(OTHER_FAMILY_MS, all, [first]) : all;
}

/** Converts a v4-mapped address to the IPv4 address inside it (RFC 4291 section 2.5.5.2), so that limits per address apply to it too. */
function unmap(address: string, family: 4 | 6): HostAddress {
  const [, ipv4] = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address) ?? [];
  return ipv4 === undefined ? { address, family } : { address: ipv4, family: 4 };
}

/** A resolver on its own c-ares sockets, so that look-ups never queue behind libuv's four threads. */
export function createResolver({ servers, timeoutMs }: ResolverOptions): Resolver {
  const dns = new DnsResolver({ timeout: timeoutMs, tries: 2 });
  const deadlineMs = timeoutMs * DEADLINE_FACTOR;
  if (servers.length > 0) dns.setServers(servers);

  async function query(host: string, family: 4 | 6): Promise<FamilyAnswer> {
    try {
      const records = family === 4 ? await dns.resolve4(host, { ttl: true }) : await dns.resolve6(host, { ttl: true });
      return records.map(({ address, ttl }) => ({ ...unmap(address, family), ttlSeconds: ttl }));
    } catch (error) {
      return dnsFailureOf(error);
    }
  }

  /** The error code of an NS query; null when it is answered. */
  async function queryNameServers(name: string): Promise<string | null> {
    try {
      await dns.resolveNs(name);
      return null;
    } catch (error) {
      return (error as NodeJS.ErrnoException).code ?? '';
    }
  }

  return {
    async resolve(host) {
      const answers = await withTimeout<FamilyAnswer[]>(deadlineMs, bothFamilies(query(host, 4), query(host, 6)), [
        'dns-timeout',
      ]);
      const found = answers.flatMap((answer) => (typeof answer === 'string' ? [] : answer));
      const [first, ...rest] = found.map(({ address, family }): HostAddress => ({ address, family }));
      if (first !== undefined) {
        return { ok: true, addresses: [first, ...rest], ttlSeconds: Math.min(...found.map((each) => each.ttlSeconds)) };
      }
      const failures = answers.filter((answer) => typeof answer === 'string');
      return { ok: false, failure: PRECEDENCE.find((word) => failures.includes(word)) ?? 'dns-no-address' };
    },

    isAnswering: () =>
      withTimeout(
        deadlineMs,
        queryNameServers('.').then((error) => error === null || PROOFS_OF_ANSWER.has(error)),
        false,
      ),

    canResolve: () => {
      const answers = ['.', 'com', 'org'].map(async (name) => {
        const error = await queryNameServers(name);
        return error === null || !BROKEN.has(error);
      });
      return withTimeout(
        deadlineMs,
        Promise.all(answers).then((results) => results.includes(true)),
        false,
      );
    },

    cancel() {
      dns.cancel();
    },
  };
}

interface ResolverCacheOptions {
  /** Maximum of parallel look-ups; further ones wait. */
  concurrency: number;
  clock: Clock;
  /** Maximum of cached answers; the least recently used one is dropped. */
  limit?: number;
}

/** Caps the time to live of cached answers. */
const MAX_TTL_SECONDS = 3_600;
/** For NXDOMAIN and for a name without addresses: c-ares does not return the minimum of the SOA record (RFC 2308 section 5). */
const NEGATIVE_TTL_SECONDS = 60;

const CANCELLED: Resolution = { ok: false, failure: 'dns-timeout' };

/**
 * Caches answers for their time to live, shares one look-up among all callers of a name, and limits parallel look-ups. Server failures
 * and time-outs are not cached.
 */
export function cacheResolutions(
  resolver: Resolver,
  { concurrency, clock, limit = 2_000 }: ResolverCacheOptions,
): Resolver {
  const queue = new PQueue({ concurrency });
  const cache = new LRUCache<string, Resolution>({ max: limit, perf: { now: clock }, ttlResolution: 0 });
  const running = new Map<string, Promise<Resolution>>();

  async function resolve(host: string): Promise<Resolution> {
    // Rejects only for a look-up that was cancelled while it waited in the queue.
    const resolution = await queue.add(() => resolver.resolve(host)).catch(() => CANCELLED);
    const seconds = cacheSeconds(resolution);
    if (seconds !== null) cache.set(host, resolution, { ttl: seconds * 1_000 });
    return resolution;
  }

  return {
    ...resolver,
    resolve(host) {
      const cached = cache.get(host);
      if (cached !== undefined) return Promise.resolve(cached);
      const shared = running.get(host) ?? resolve(host).finally(() => running.delete(host));
      running.set(host, shared);
      return shared;
    },
    cancel() {
      queue.clear();
      resolver.cancel();
    },
  };
}

/** Null for results that are not cached: answers with a TTL of 0 (RFC 1035 section 3.2.1), and failures of name servers. */
function cacheSeconds(resolution: Resolution): number | null {
  if (resolution.ok) return resolution.ttlSeconds > 0 ? Math.min(MAX_TTL_SECONDS, resolution.ttlSeconds) : null;
  return resolution.failure === 'dns-nxdomain' || resolution.failure === 'dns-no-address' ? NEGATIVE_TTL_SECONDS : null;
}
