import type { Generated } from 'kysely';

/** The list of opt-outs. No row of `domains` is covered by one of them. */
export interface OptOutsTable {
  /** Ascends with time; no later row gets the id of one that was deleted. */
  id: Generated<number>;
  /** A host with a port or without, as a Domain has it. */
  name: string;
  /** When it was made, epoch milliseconds. */
  at: number;
}
