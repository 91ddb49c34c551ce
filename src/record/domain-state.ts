import { z } from 'zod';

/**
 * Where a domain stands between visits.
 *
 * - `new`: known, not yet visited.
 * - `active`: the last visit succeeded.
 * - `failing`: the last visit failed, not yet often or long enough for `dead`.
 * - `dead`: it failed often and long; still visited, rarely.
 * - `gone`: it answered 410.
 * - `opted-out`: its owner asked to be forgotten; never visited.
 */
export const DomainState = z.enum(['new', 'active', 'failing', 'dead', 'gone', 'opted-out']);
export type DomainState = z.infer<typeof DomainState>;
