import type { Domain } from '../domain/domain.ts';
import type { Change } from './change.ts';

/** A change, and of which domain. */
export interface DomainChange extends Change {
  domain: Domain;
}
