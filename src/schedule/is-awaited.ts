import type { DomainRecord } from '../record/domain-record.ts';

/** Whether a domain was dead or gone until somebody asked for it by name, and was not visited since. */
export function isAwaited({ state, lastVisit }: Pick<DomainRecord, 'state' | 'lastVisit'>): boolean {
  return state === 'new' && lastVisit !== null;
}
