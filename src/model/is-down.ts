import type { DomainRecord } from './domain-record.ts';

/** Whether a listed instance is shown as down: its last visit failed, or it could not be contacted at all. */
export function isDown({ state, reason }: Pick<DomainRecord, 'state' | 'reason'>): boolean {
  return state === 'failing' || reason === 'forbidden-address';
}
