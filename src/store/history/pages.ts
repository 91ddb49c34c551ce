import { sql } from 'kysely';
import type { Domain } from '../../model/domain/domain.ts';
import type { QueryParameter } from '../sqlite/prepare.ts';

/** A page of a history in order from newest to oldest. */
export interface HistoryPage {
  /** The last entry of the previous page; null for the first page. */
  readonly before: { readonly at: number; readonly id: number } | null;
  readonly limit: number;
}

export type PageOfDomain = { domain: Domain; at: number; id: number; limit: number };

/** The position before the first page: newer than all entries. */
export const END = { at: Number.MAX_SAFE_INTEGER, id: Number.MAX_SAFE_INTEGER };

/** Whether a row comes after those of the previous page. */
export const isBefore = (at: string, id: string, parameter: QueryParameter<PageOfDomain>) =>
  sql<boolean>`(${sql.ref(at)}, ${sql.ref(id)}) < (${parameter('at')}, ${parameter('id')})`;
