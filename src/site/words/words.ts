import type { english } from './english.ts';

/** The words of all pages in one language. */
export type Words = typeof english;
