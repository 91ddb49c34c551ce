import type { Domain } from '../model/domain/domain.ts';
import type { EpochMs } from '../model/time.ts';

/** The result of a submission. */
export type SubmissionResult =
  /** Visited just now. */
  | { readonly kind: 'visited' }
  /** The visit has not finished. */
  | { readonly kind: 'visiting' }
  /** Visited within the hour, possibly at another port; the next visit is possible at `againAt`. */
  | { readonly kind: 'recent'; readonly againAt: EpochMs }
  /** Its owner has opted out. */
  | { readonly kind: 'opted-out' }
  /** Too many submissions are waiting, or the registrable domain or a third-party host of the visit has reached its hourly limit. */
  | { readonly kind: 'busy'; readonly why: string; readonly retryAfterSeconds: number }
  /** The visit failed on our side; no failure is recorded. */
  | { readonly kind: 'unvisited'; readonly why: string };

/** A function that submits a domain, or the reason why no submissions are accepted. */
export type Submit = ((domain: Domain) => Promise<SubmissionResult>) | 'off' | 'no-crawler';
