/** What a task needs to start: at most `limit` tasks hold the same `key` at once; 0 means no limit. */
export interface Claim {
  key: string;
  limit: number;
}

/**
 * Grants all claims of a task at once (its host, addresses and registrable domain). A task waits in the queue of the first full key, and
 * holds no claim while it waits.
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
      const held = distinct(claims);
      for (const { key } of held) {
        const count = (holders.get(key) ?? 0) - 1;
        if (count > 0) holders.set(key, count);
        else holders.delete(key);
      }
      for (const claim of held) {
        const queue = queues.get(claim.key);
        if (queue === undefined) continue;
        // Each waiter is admitted or moves to the queue of another key, so the loop ends.
        for (let left = queue.length; left > 0 && hasRoom(claim); left--) {
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

/** The NAT64 prefix (RFC 6052) contains every IPv4 address, so it cannot share one key. */
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
  const network = [...first, ...zeros, ...last].slice(0, 4).map((group) => group.replace(/^0+(?=.)/, ''));
  const key = network.join(':');
  return key === NAT64 ? address : `${key}::/64`;
}
