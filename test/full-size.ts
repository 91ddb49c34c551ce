import { inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    /** Whether tests of many cases try all of them; otherwise they try a part, chosen so that every kind of case is in it. */
    fullSize: boolean;
  }
}

export const isFullSize = inject('fullSize');

/** How many cases a test tries: all in `npm run test:long`, fewer in `npm test`. */
export const sized = ({ full, quick }: { full: number; quick: number }): number => (isFullSize ? full : quick);
