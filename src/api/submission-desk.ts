import type { Domain } from '../model/domain/domain.ts';

/** What became of a domain that was handed in. Times are milliseconds since the epoch. */
export type Submitted =
  /** It was visited just now. */
  | { readonly kind: 'visited' }
  /** Its visit is not over yet. */
  | { readonly kind: 'visiting' }
  /** It, or its host under another port, was visited within the hour: once more is possible from then on. */
  | { readonly kind: 'recent'; readonly againAt: number }
  /** Its owner wants to be left alone. */
  | { readonly kind: 'withheld' }
  /** Too many are waiting, or too many of one registrable domain came within the hour. */
  | { readonly kind: 'busy'; readonly why: string; readonly retryAfterSeconds: number }
  /** It could not be visited, which is not held against it. */
  | { readonly kind: 'unvisited'; readonly why: string };

/** Where domains are handed in; or why nowhere: it is switched off, or nothing here visits anybody. */
export type SubmissionDesk = ((domain: Domain) => Promise<Submitted>) | 'off' | 'no-crawler';
