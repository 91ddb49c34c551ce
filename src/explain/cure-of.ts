import type { Reason } from '../record/reason.ts';
import type { Verdict } from '../record/verdict.ts';
import { CURES, type Cure, type Patient } from './cures.ts';

/** What its operator can do about how a visit ended; null where there is nothing to do. */
export function cureOf(verdict: Verdict, reason: Reason, patient: Patient): string | null {
  const row: Readonly<Partial<Record<Verdict, Cure>>> = CURES[reason];
  return row[verdict]?.(patient) ?? null;
}
