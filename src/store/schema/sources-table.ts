import type { Generated } from 'kysely';

/** Every source that was ever read. */
export interface SourcesTable {
  id: Generated<number>;
  key: string;
  type: string;
  label: string;
  /** When it was first read, epoch milliseconds. */
  first_at: number;
  /** Until when it asked to be left alone at its last reading, epoch milliseconds; null when it did not. */
  not_before: number | null;
}
