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

/** Where a domain stands between visits, each word explained in {@link DOMAIN_STATES}. */
export type DomainState = keyof typeof DOMAIN_STATES;
export const DomainState = z.enum(Object.keys(DOMAIN_STATES) as [DomainState, ...DomainState[]]);
