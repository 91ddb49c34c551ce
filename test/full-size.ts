import { inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    /** Whether tests with many cases try all of them, or only a sample. */
    fullSize: boolean;
  }
}

export const isFullSize = inject('fullSize');

/** In `npm run test:long` all cases, in `npm test` the first and every `step`-th one after it. */
export const sampleOf = <One>(cases: readonly One[], step: number): readonly One[] =>
  cases.filter((_, index) => isFullSize || index % step === 0);

/** The number of cases a test tries: `full` in `npm run test:long`, `quick` in `npm test`. */
export const sized = ({ full, quick }: { full: number; quick: number }): number => (isFullSize ? full : quick);
