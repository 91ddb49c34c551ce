import type { Domain } from './domain/domain.ts';

/** What a domain was found to redirect to at its last visit. */
export interface KnownAlias {
  to: Domain;
  /** Start of that visit, milliseconds since the epoch. */
  at: number;
}
