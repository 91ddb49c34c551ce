import type { HostAddress } from '../http/resolver.ts';
import type { Domain } from '../model/domain/domain.ts';
import { registrableDomainOf, siteOf } from '../model/domain/registrable-domain.ts';

/** A slot that a visit needs to start: at most `limit` visits hold a slot of the same `key` at once; a `limit` of 0 means no limit. */
export interface Slot {
  key: string;
  limit: number;
}

interface Waiter {
  slots: readonly Slot[];
  isUrgent: boolean;
  settle: (isGranted: boolean) => void;
}

/**
 * Grants a visit its slots (of its host, addresses and registrable domain) all at once. A visit waits in the queue of the first full slot, and
 * holds no slot while it waits. Urgent visits are in front of the others.
 */
export class HostLimits {
  readonly #holders = new Map<string, number>();
  readonly #queues = new Map<string, Waiter[]>();
  /** The visits that wait, by the key of each slot that they need, and in all. */
  readonly #waitingFor = new Map<string, number>();
  #waiting = 0;

  /** The number of visits that wait. */
  get waiting(): number {
    return this.#waiting;
  }

  /** The largest number of visits that wait for one of the slots. */
  mostWaiting(slots: readonly Slot[]): number {
    return Math.max(0, ...slots.map(({ key, limit }) => (limit === 0 ? 0 : (this.#waitingFor.get(key) ?? 0))));
  }

  /** Whether `acquire` would have to wait now. */
  isFull(slots: readonly Slot[]): boolean {
    return slots.some((slot) => !this.#hasRoom(slot));
  }

  /** Resolves with true once all slots are held, or with false when the wait was cancelled. */
  acquire(slots: readonly Slot[], isUrgent = false): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const needed = distinct(slots);
    this.#countWaiting(needed, 1);
    const settle = (isGranted: boolean) => {
      this.#countWaiting(needed, -1);
      resolve(isGranted);
    };
    this.#admitOrQueue({ slots: needed, isUrgent, settle });
    return promise;
  }

  /** Cancels all waits. */
  cancelAll(): void {
    const waiters = [...this.#queues.values()].flat();
    this.#queues.clear();
    for (const { settle } of waiters) settle(false);
  }

  /** Releases the slots of `acquire`. */
  release(slots: readonly Slot[]): void {
    const released = distinct(slots);
    change(this.#holders, released, -1);
    for (const slot of released) {
      const queue = this.#queues.get(slot.key);
      if (queue === undefined) continue;
      // Tries each waiter once. A waiter that is blocked by another key moves to the queue of that key.
      for (let untried = queue.length; untried > 0 && this.#hasRoom(slot); untried--) {
        const waiter = queue.shift();
        if (waiter !== undefined) this.#admitOrQueue(waiter);
      }
      if (queue.length === 0) this.#queues.delete(slot.key);
    }
  }

  #countWaiting(slots: readonly Slot[], by: 1 | -1): void {
    this.#waiting += by;
    change(this.#waitingFor, slots, by);
  }

  #hasRoom({ key, limit }: Slot): boolean {
    return limit === 0 || (this.#holders.get(key) ?? 0) < limit;
  }

  #admitOrQueue(waiter: Waiter): void {
    const full = waiter.slots.find((slot) => !this.#hasRoom(slot));
    if (full === undefined) {
      change(this.#holders, waiter.slots, 1);
      waiter.settle(true);
      return;
    }
    const queue = this.#queues.get(full.key);
    if (queue === undefined) this.#queues.set(full.key, [waiter]);
    else queue.splice(waiter.isUrgent ? queue.findLastIndex(({ isUrgent }) => isUrgent) + 1 : queue.length, 0, waiter);
  }
}

function change(counts: Map<string, number>, slots: readonly Slot[], by: 1 | -1): void {
  for (const { key } of slots) {
    const count = (counts.get(key) ?? 0) + by;
    if (count > 0) counts.set(key, count);
    else counts.delete(key);
  }
}

function distinct(slots: readonly Slot[]): readonly Slot[] {
  return [...new Map(slots.map((slot) => [slot.key, slot])).values()];
}

/** Maximum concurrent visits per IP address, and per registrable domain; 0: no limit. */
export interface SlotLimits {
  perAddress: number;
  perRegistrableDomain: number;
}

/** The slots of a visit: one for its host (any port, with or without `www.`), and limited ones per registrable domain and per address. */
export function slotsFor(domain: Domain, addresses: readonly HostAddress[], limits: SlotLimits): Slot[] {
  return [
    { key: `host ${siteOf(domain)}`, limit: 1 },
    { key: `domain ${registrableDomainOf(domain)}`, limit: limits.perRegistrableDomain },
    ...addresses.map(({ address }) => ({ key: `address ${addressKey(address)}`, limit: limits.perAddress })),
  ];
}

/** The NAT64 prefix (RFC 6052) contains every IPv4 address, so each of its addresses has a key of its own. */
const NAT64 = '64:ff9b:0:0';

/**
 * The key of the slots of an address: an IPv4 address, or the /64 of an IPv6 address, the smallest block that a network gets (RFC 6177).
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
