import type { Arrivals } from './crawl.parts.ts';

/** Tells one listener what comes in, also what came in while it did not listen. */
export interface ArrivalBell extends Arrivals {
  /** Domains have come in. */
  ring(): void;
  /** No more come. */
  end(): void;
}

export function createArrivalBell(): ArrivalBell {
  let hasCome = false;
  let isOver = false;
  let news = Promise.withResolvers<void>();
  return {
    ring() {
      hasCome = true;
      news.resolve();
    },
    end() {
      isOver = true;
      news.resolve();
    },
    async next() {
      if (!hasCome && !isOver) await news.promise;
      news = Promise.withResolvers();
      const had = hasCome;
      hasCome = false;
      return had;
    },
  };
}
