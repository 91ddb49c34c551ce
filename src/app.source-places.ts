import { asksOthers, type ConfiguredSource } from './app.source-list.ts';

/**
 * Other people's servers asked at a time. A reading mostly waits, for a page, a pause or a slow server, and takes no more than its deadline
 * allows; so many that drip leave room for the rest, and so many connections are nothing beside those of the visits.
 */
const MOST_FAR = 16;
/** Of what is read from our own disk, which never waits for the network and is never waited for behind it. */
const MOST_NEAR = 4;
/** A list in JSON is read as it comes: one string of it, an entry, and what is about to be entered. */
const LIST_BYTES = 4_194_304;
/** For all readings together. */
const MOST_BYTES = 134_217_728;

/** Who may be read at a time. */
export interface Places {
  /** Whether there is a place; of one host, there is one. */
  hasRoomFor(source: ConfiguredSource): boolean;
  isReading(key: string): boolean;
  /** Keys of those that are being read. */
  reading(): string[];
  /** Held until the work ends. */
  hold<Result>(source: ConfiguredSource, work: () => Promise<Result>): Promise<Result>;
  /** Resolves when one of those that are held is free again. */
  freed(): Promise<void>;
}

export function createPlaces(): Places {
  const held = new Map<string, ConfiguredSource>();
  let next = Promise.withResolvers<void>();

  return {
    hasRoomFor(one) {
      const others = [...held.values()];
      if (held.has(one.source.key)) return false;
      const isFar = asksOthers(one);
      if (others.filter((other) => asksOthers(other) === isFar).length >= (isFar ? MOST_FAR : MOST_NEAR)) return false;
      const host = hostnameOf(one);
      if (host !== null && others.some((other) => hostnameOf(other) === host)) return false;
      const bytes = others.reduce((sum, other) => sum + bytesOf(other), 0);
      return bytes === 0 || bytes + bytesOf(one) <= MOST_BYTES;
    },
    isReading: (key) => held.has(key),
    reading: () => [...held.keys()],
    async hold(one, work) {
      held.set(one.source.key, one);
      try {
        return await work();
      } finally {
        held.delete(one.source.key);
        next.resolve();
        next = Promise.withResolvers();
      }
    },
    freed: () => next.promise,
  };
}

/** Two ports of one host are one machine. */
function hostnameOf({ source }: ConfiguredSource): string | null {
  return source.host === null ? null : source.host.replace(/:\d+$/, '');
}

/** How much of what it reads a reading has in memory at most. */
function bytesOf(one: ConfiguredSource): number {
  const { entry } = one;
  if (!asksOthers(one)) return 0;
  // A page is taken apart when it is there as a whole.
  return entry.type === 'page' ? Math.max(entry.maxBytes, LIST_BYTES) : LIST_BYTES;
}
