import type { Generated } from 'kysely';
import type { ChangeCause, ChangedField } from '../../model/change.ts';

/** Every change of a recorded fact, for ever. */
export interface ChangesTable {
  /** Ascending in the order of recording, and never used twice. */
  id: Generated<number>;
  domain_id: number;
  /** Epoch milliseconds. */
  at: number;
  field: ChangedField;
  /** FactValue as JSON; null: unknown. So is `to_value`. */
  from_value: string | null;
  to_value: string | null;
  why: string | null;
  cause: ChangeCause;
  /** The visit may be gone. */
  visit_id: number | null;
}
