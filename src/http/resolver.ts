import { Resolver as DnsResolver } from 'node:dns/promises';
import { LRUCache } from 'lru-cache';
import PQueue from 'p-queue';
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
      /** How long the answer holds: the shortest time to live of its records, in seconds. */
      ttlSeconds: number;
    }
  | { ok: false; failure: DnsFailure };

/** Turns host names into addresses; every way to fail is a value. */
export interface Resolver {
  resolve(host: string): Promise<Resolution>;
  /** Whether the DNS servers answer at all, asked with a question that every resolver can answer. */
  answers(): Promise<boolean>;
  /**
   * Whether the DNS servers can look anything up. One whose own way out is broken answers SERVFAIL to every question, to that for the
   * largest top-level domains as well.
   */
  resolves(): Promise<boolean>;
  /** Ends every look-up under way at once, each as `dns-timeout`; later ones go on. */
  cancel(): void;
}

export interface ResolverOptions {
  /** `ADDRESS[:PORT]`; empty for the system's. */
  servers: readonly string[];
  /** For one try. A question is given up after four times this, however many servers there are. */
  timeoutMs: number;
}

/** Errors that a server which works for us may answer the question for the root with. One that refuses us does not. */
const ANSWERED: ReadonlySet<string> = new Set(['ENOTFOUND', 'ENODATA', 'ESERVFAIL', 'ENOTIMP', 'EBADRESP', 'EFORMERR']);

/** What a server whose own way out is broken answers, or does not. */
const BROKEN: ReadonlySet<string> = new Set(['ESERVFAIL', 'ETIMEOUT', 'ECONNREFUSED', 'ECANCELLED']);

/**
 * When A and AAAA fail differently, the first of these that occurred is the answer. That there is no address of one family says
 * nothing of the other.
 */
const PRECEDENCE: readonly DnsFailure[] = [
  'dns-nxdomain',
  'dns-timeout',
  'dns-refused',
  'dns-servfail',
  'dns-no-address',
];

/**
 * How long one family is waited for once the other has addresses or is told that there is no such name, in milliseconds: name
 * servers that never answer AAAA are no reason to spend all tries on it (RFC 8305 section 3), and some say of a name that has
 * no AAAA that it does not exist (RFC 4074 section 4.2).
 */
const OTHER_FAMILY_MS = 1_000;

/** c-ares tries each server twice, the second time for longer, one after the other; a question is given up after so many tries. */
export const MOST_TRIES = 5;

interface Found extends HostAddress {
  ttlSeconds: number;
}

type FamilyAnswer = Found[] | DnsFailure;

/** The answers of both families; of one alone when the other is late and that settles the matter. */
async function both(v4: Promise<FamilyAnswer>, v6: Promise<FamilyAnswer>): Promise<FamilyAnswer[]> {
  const all = Promise.all([v4, v6]);
  const first = await Promise.race([v4, v6]);
  const isSettled = typeof first !== 'string' || first === 'dns-nxdomain';
  return isSettled ? withTimeout<FamilyAnswer[]>(OTHER_FAMILY_MS, all, [first]) : all;
}

/** A v4-mapped address is the IPv4 address inside it (RFC 4291 section 2.5.5.2), for the limits of an address too. */
function unmapped(address: string, family: 4 | 6): HostAddress {
  const [, inside] = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address) ?? [];
  return inside === undefined ? { address, family } : { address: inside, family: 4 };
}

/** A resolver on c-ares sockets of its own: look-ups never queue behind libuv's four threads. */
export function createResolver({ servers, timeoutMs }: ResolverOptions): Resolver {
  const dns = new DnsResolver({ timeout: timeoutMs, tries: 2 });
  const deadlineMs = timeoutMs * MOST_TRIES;
  if (servers.length > 0) dns.setServers(servers);

  async function ask(host: string, family: 4 | 6): Promise<FamilyAnswer> {
    try {
      const records = family === 4 ? await dns.resolve4(host, { ttl: true }) : await dns.resolve6(host, { ttl: true });
      return records.map(({ address, ttl }) => ({ ...unmapped(address, family), ttlSeconds: ttl }));
    } catch (error) {
      return dnsFailureOf(error);
    }
  }

  /** The code of the error that the question for the name servers of a name ends in; null when it is answered. */
  async function asked(name: string): Promise<string | null> {
    try {
      await dns.resolveNs(name);
      return null;
    } catch (error) {
      return (error as NodeJS.ErrnoException).code ?? '';
    }
  }

  return {
    async resolve(host) {
      const answers = await withTimeout<FamilyAnswer[]>(deadlineMs, both(ask(host, 4), ask(host, 6)), ['dns-timeout']);
      const found = answers.flatMap((answer) => (typeof answer === 'string' ? [] : answer));
      const [first, ...rest] = found.map(({ address, family }): HostAddress => ({ address, family }));
      if (first !== undefined) {
        return { ok: true, addresses: [first, ...rest], ttlSeconds: Math.min(...found.map((each) => each.ttlSeconds)) };
      }
      const failures = answers.filter((answer) => typeof answer === 'string');
      return { ok: false, failure: PRECEDENCE.find((word) => failures.includes(word)) ?? 'dns-no-address' };
    },

    answers: () =>
      withTimeout(
        deadlineMs,
        asked('.').then((error) => error === null || ANSWERED.has(error)),
        false,
      ),

    resolves: () => {
      const answers = ['.', 'com', 'org'].map(async (name) => {
        const error = await asked(name);
        return error === null || !BROKEN.has(error);
      });
      return withTimeout(
        deadlineMs,
        Promise.all(answers).then((each) => each.includes(true)),
        false,
      );
    },

    cancel() {
      dns.cancel();
    },
  };
}

interface ResolverCacheOptions {
  /** Look-ups under way at a time; others wait their turn. */
  concurrency: number;
  /** Monotonic, in milliseconds. */
  clock: () => number;
  /** Answers kept; beyond that the one unused for longest goes. */
  limit?: number;
}

/** However long a name says its answers hold, they are kept no longer than this, in seconds. */
const MOST_SECONDS = 3_600;
/** That a name does not exist, or has no address, is kept so long: c-ares does not tell the SOA's minimum (RFC 2308 section 5). */
const NEGATIVE_SECONDS = 60;

const CANCELLED: Resolution = { ok: false, failure: 'dns-timeout' };

/**
 * Keeps answers as long as they hold, asks for a name once however many wait for it, and bounds the look-ups under way.
 * A server that failed or was silent is asked again: that was no answer.
 */
export function cacheResolutions(
  resolver: Resolver,
  { concurrency, clock, limit = 2_000 }: ResolverCacheOptions,
): Resolver {
  const queue = new PQueue({ concurrency });
  const kept = new LRUCache<string, Resolution>({ max: limit, perf: { now: clock }, ttlResolution: 0 });
  const asked = new Map<string, Promise<Resolution>>();
  async function ask(host: string): Promise<Resolution> {
    // Rejects only for a look-up that was cancelled before its turn came.
    const resolution = await queue.add(() => resolver.resolve(host)).catch(() => CANCELLED);
    const seconds = secondsToKeep(resolution);
    if (seconds !== null) kept.set(host, resolution, { ttl: seconds * 1_000 });
    return resolution;
  }

  return {
    ...resolver,
    resolve(host) {
      const known = kept.get(host);
      if (known !== undefined) return Promise.resolve(known);
      const underWay = asked.get(host) ?? ask(host).finally(() => asked.delete(host));
      asked.set(host, underWay);
      return underWay;
    },
    cancel() {
      queue.clear();
      resolver.cancel();
    },
  };
}

/** Null for what is not kept: a failure, and an answer for the one who asked alone (a TTL of 0, RFC 1035 section 3.2.1). */
function secondsToKeep(resolution: Resolution): number | null {
  if (resolution.ok) return resolution.ttlSeconds > 0 ? Math.min(MOST_SECONDS, resolution.ttlSeconds) : null;
  return resolution.failure === 'dns-nxdomain' || resolution.failure === 'dns-no-address' ? NEGATIVE_SECONDS : null;
}
