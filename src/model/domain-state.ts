import { z } from 'zod';

/** Every state and when a domain is in it. The one place where the words are defined. */
export const DOMAIN_STATES = {
  new: 'it is known, and was not visited yet',
  active: 'the last visit succeeded',
  failing: 'the last visit failed, but not yet often or long enough for `dead`',
  dead: 'it failed often and long; it is still visited, rarely',
  gone: 'it answered 410 Gone',
  'opted-out': 'its owner asked to be forgotten; it is never visited, and never published',
} as const;

type AnyState = keyof typeof DOMAIN_STATES;
/** Every state that a domain can be told to be in. */
export const AnyState = z.enum(Object.keys(DOMAIN_STATES) as [AnyState, ...AnyState[]]);

/** Where a known domain stands between visits. Of those that opted out none is known: an opt-out deletes every row that it covers. */
export const DomainState = AnyState.exclude(['opted-out']);
export type DomainState = z.infer<typeof DomainState>;
