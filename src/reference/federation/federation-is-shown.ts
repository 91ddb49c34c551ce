import type { ReferenceState } from '../state.ts';

/** A live server hides NodeInfo, WebFinger and its actors while federation is off. */
export function federationIsShown(state: ReferenceState): boolean {
  return state.profile === 'spec' || state.config.federation;
}
