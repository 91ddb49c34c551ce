import { type RawBuilder, sql } from 'kysely';

/** Whether a row of `domains` may be published: it has not opted out, and does not ask to be left out. A condition for queries that join `domains`. */
export const published: RawBuilder<boolean> = sql<boolean>`domains.state <> 'opted-out' and ifnull(domains.noindex, 0) = 0`;
