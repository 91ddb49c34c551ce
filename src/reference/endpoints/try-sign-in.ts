import { LRUCache } from 'lru-cache';
import type { StoredAccount } from '../data/accounts.ts';
import { digestOf } from '../data/secret.ts';
import type { ReferenceState } from '../state.ts';

/**
 * Like Loops: after five failed sign-ins with one username from one address, every further one is refused until a minute after
 * the first failure.
 */
const maxFailures = 5;
const windowMs = 60_000;

interface Failures {
  count: number;
  /** End of the minute that began with the first failure, milliseconds since the epoch. */
  readonly endsAt: number;
}

const failuresOf = new WeakMap<ReferenceState, LRUCache<string, Failures>>();

/** The account, or the seconds until the next attempt is allowed; 0: at once. */
export type SignInOutcome =
  | { readonly account: StoredAccount; readonly waitSeconds?: never }
  | { readonly account?: never; readonly waitSeconds: number };

/** Checks a password, unless too many attempts have failed. A successful sign-in clears the failures. */
export function trySignIn(state: ReferenceState, address: string, username: string, password: string): SignInOutcome {
  const failures = failuresOf.get(state) ?? new LRUCache<string, Failures>({ max: 5_000 });
  failuresOf.set(state, failures);
  const key = digestOf(`${username.toLowerCase()} ${address}`).toString('base64');
  const now = state.now();
  const stored = failures.get(key);
  const current = stored !== undefined && stored.endsAt > now ? stored : { count: 0, endsAt: now + windowMs };
  if (current.count >= maxFailures) return { waitSeconds: Math.ceil((current.endsAt - now) / 1000) };
  const account = state.data.accounts.signIn(username, password);
  if (account !== undefined) {
    failures.delete(key);
    return { account };
  }
  current.count += 1;
  failures.set(key, current);
  return { waitSeconds: 0 };
}
