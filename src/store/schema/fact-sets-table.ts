import type { Generated } from 'kysely';

/** What instances say of themselves, apart from counts; each set is kept once, however many visits read it. */
export interface FactSetsTable {
  id: Generated<number>;
  /** InstanceFacts without `usage`, as JSON. */
  facts: string;
}
