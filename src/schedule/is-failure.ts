import type { Verdict } from '../record/verdict.ts';

/** Whether a visit that ended so counts as failed: no answer, or, from what was Loops before, one that says nothing. */
export function isFailure(verdict: Verdict, onceLoops: boolean): boolean {
  return verdict === 'unreachable' || (verdict === 'unidentified' && onceLoops);
}
