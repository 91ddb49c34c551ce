/** NAT64 (RFC 6052): every address of IPv4 is under this one prefix. */
const NAT64 = '64:ff9b:0:0';

/**
 * What the places of an address are counted under: the address, but of IPv6 its /64, the least that a network is given
 * (RFC 6177), so that a host with a million addresses there is one.
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

/** A place that a piece of work needs: at most `limit` holders of `key` at a time; 0 means no limit. */
export interface Claim {
  key: string;
  limit: number;
}

/**
 * Hands out places under several keys at once (a host, its addresses, its registrable domain). Work waits in the line of the
 * first key that has no room, and holds nothing while it waits.
 */
export interface Admission {
  /** Resolves once every claim has room and all are held. */
  enter(claims: readonly Claim[]): Promise<void>;
  /** Gives back what `enter` was given. */
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
  const lines = new Map<string, Waiter[]>();

  const hasRoom = ({ key, limit }: Claim) => limit === 0 || (holders.get(key) ?? 0) < limit;

  function admitOrQueue(waiter: Waiter): void {
    const full = waiter.claims.find((claim) => !hasRoom(claim));
    if (full === undefined) {
      for (const { key } of waiter.claims) holders.set(key, (holders.get(key) ?? 0) + 1);
      waiter.admit();
      return;
    }
    const line = lines.get(full.key);
    if (line === undefined) lines.set(full.key, [waiter]);
    else line.push(waiter);
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
        const line = lines.get(claim.key);
        if (line === undefined) continue;
        // Each of these either takes the room or moves to the line of another key, so this ends.
        for (let left = line.length; left > 0 && hasRoom(claim); left--) {
          const waiter = line.shift();
          if (waiter !== undefined) admitOrQueue(waiter);
        }
        if (line.length === 0) lines.delete(claim.key);
      }
    },
  };
}

function distinct(claims: readonly Claim[]): readonly Claim[] {
  return [...new Map(claims.map((claim) => [claim.key, claim])).values()];
}
