import type { Migration } from 'kysely/migration';
import * as initial from './0001-initial.ts';

/** Every migration in order. A released migration is never edited. */
export const migrations: Readonly<Record<string, Migration>> = {
  '0001-initial': initial,
};
