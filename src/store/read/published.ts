import { type RawBuilder, sql } from 'kysely';

/** Whether a row of `domains` may be published: it does not ask to be left out. A condition for queries that join `domains`. */
export const published: RawBuilder<boolean> = sql<boolean>`ifnull(domains.noindex, 0) = 0`;
