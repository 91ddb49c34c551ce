import type { Conclusive } from '../record/domain-record.ts';
import type { Verdict } from '../record/verdict.ts';

/** Whether a verdict says what the host is. */
export function isConclusive(verdict: Verdict | null): verdict is Conclusive {
  return verdict === 'loops' || verdict === 'other' || verdict === 'alias';
}
