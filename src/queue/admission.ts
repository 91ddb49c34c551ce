/** A slot that a task needs to start: at most `limit` tasks hold a slot of the same `key` at once; a `limit` of 0 means no limit. */
export interface Claim {
  key: string;
  limit: number;
}

/**
 * Grants a task its claims (on its host, addresses and registrable domain) all at once. A task waits in the queue of the first full key,
 * and holds no claim while it waits.
 */
export interface Admission {
  /** Resolves once the task holds all its claims. */
  enter(claims: readonly Claim[]): Promise<void>;
  /** Releases the claims of `enter`. */
  leave(claims: readonly Claim[]): void;
  /** Whether `enter` would have to wait now. */
  isFull(claims: readonly Claim[]): boolean;
}

interface Waiter {
  claims: readonly Claim[];
  admit: () => void;
}

export function createAdmission(): Admission {
  const holders = new Map<string, number>();
  const queues = new Map<string, Waiter[]>();

  const hasRoom = ({ key, limit }: Claim) => limit === 0 || (holders.get(key) ?? 0) < limit;

  function admitOrQueue(waiter: Waiter): void {
    const full = waiter.claims.find((claim) => !hasRoom(claim));
    if (full === undefined) {
      for (const { key } of waiter.claims) holders.set(key, (holders.get(key) ?? 0) + 1);
      waiter.admit();
      return;
    }
    const queue = queues.get(full.key);
    if (queue === undefined) queues.set(full.key, [waiter]);
    else queue.push(waiter);
  }

  return {
    isFull: (claims) => claims.some((claim) => !hasRoom(claim)),

    enter(claims) {
      const { promise, resolve } = Promise.withResolvers<void>();
      admitOrQueue({ claims: distinct(claims), admit: resolve });
      return promise;
    },

    leave(claims) {
      const released = distinct(claims);
      for (const { key } of released) {
        const count = (holders.get(key) ?? 0) - 1;
        if (count > 0) holders.set(key, count);
        else holders.delete(key);
      }
      for (const claim of released) {
        const queue = queues.get(claim.key);
        if (queue === undefined) continue;
        // Tries each waiter once. A waiter that is blocked by another key moves to the queue of that key.
        for (let untried = queue.length; untried > 0 && hasRoom(claim); untried--) {
          const waiter = queue.shift();
          if (waiter !== undefined) admitOrQueue(waiter);
        }
        if (queue.length === 0) queues.delete(claim.key);
      }
    },
  };
}

function distinct(claims: readonly Claim[]): readonly Claim[] {
  return [...new Map(claims.map((claim) => [claim.key, claim])).values()];
}

/** The NAT64 prefix (RFC 6052) contains every IPv4 address, so each of its addresses has a key of its own. */
const NAT64 = '64:ff9b:0:0';

/**
 * The key of the claims on an address: an IPv4 address, or the /64 of an IPv6 address, the smallest block that a network gets (RFC 6177).
 * A host with a million addresses in one /64 counts once.
 */
export function addressKey(address: string): string {
  if (!address.includes(':')) return address;
  const [head = '', tail] = address.toLowerCase().split('::');
  const first = head.split(':').filter((group) => group !== '');
  const last = tail?.split(':').filter((group) => group !== '') ?? [];
  const zeros = Array.from({ length: Math.max(0, 8 - first.length - last.length) }, () => '0');
  // Without leading zeros, so that all spellings of an address have one key.
  const network = [...first, ...zeros, ...last].slice(0, 4).map((group) => group.replace(/^0+(?=.)/, ''));
  const key = network.join(':');
  return key === NAT64 ? address : `${key}::/64`;
}
