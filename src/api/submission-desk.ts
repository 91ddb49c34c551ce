import type { Domain } from '../model/domain/domain.ts';

/** The result of a submission. Times are milliseconds since the epoch. */
export type SubmissionResult =
  /** Visited just now. */
  | { readonly kind: 'visited' }
  /** The visit has not finished. */
  | { readonly kind: 'visiting' }
  /** Visited within the hour, possibly at another port; the next visit is possible at `againAt`. */
  | { readonly kind: 'recent'; readonly againAt: number }
  /** Its owner opted out, or asks not to be published. */
  | { readonly kind: 'withheld' }
  /** Too many submissions are waiting, were for one registrable domain within the hour, or need the same third-party host. */
  | { readonly kind: 'busy'; readonly why: string; readonly retryAfterSeconds: number }
  /** The visit failed on our side; no failure is recorded. */
  | { readonly kind: 'unvisited'; readonly why: string };

/** Accepts submissions, or gives the reason why none are accepted. */
export type SubmissionDesk = ((domain: Domain) => Promise<SubmissionResult>) | 'off' | 'no-crawler';
