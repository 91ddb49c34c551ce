import { type ClientClause, LEVELS, type Level } from '../clauses/clause.ts';
import { CLIENT_CLAUSES } from '../clauses/client.ts';
import type { ClientRun } from './call.ts';
import { IDENTIFICATION_JUDGES } from './identification-judges.ts';
import type { Judge, Observation } from './judge.ts';
import { LIVE_JUDGES } from './live-judges.ts';
import { OAUTH_JUDGES } from './oauth-judges.ts';

/** The judge of every client clause. */
export const CLIENT_JUDGES: Readonly<Record<string, Judge>> = {
  ...IDENTIFICATION_JUDGES,
  ...OAUTH_JUDGES,
  ...LIVE_JUDGES,
};

export interface ClientResult {
  clause: ClientClause;
  /** `not shown`: no request of the client bears on the clause. */
  verdict: 'pass' | 'fail' | 'warning' | 'not shown';
  /** The occasions on which the client broke the clause. */
  broken: (Observation & { problem: string })[];
}

/**
 * Judges what a client sent in the scenarios that were played.
 * @param level the lowest level whose violations are failures.
 */
export function judgeClient(
  runs: readonly ClientRun[],
  clauses: readonly ClientClause[] = CLIENT_CLAUSES,
  level: Level = 'must',
): ClientResult[] {
  return clauses.map((clause) => {
    const observations = CLIENT_JUDGES[clause.id]?.(runs) ?? [];
    const broken = observations.flatMap((one) => (one.problem === null ? [] : [{ ...one, problem: one.problem }]));
    const verdictIfBroken = LEVELS.indexOf(clause.level) <= LEVELS.indexOf(level) ? 'fail' : 'warning';
    const verdict = broken.length > 0 ? verdictIfBroken : observations.length > 0 ? 'pass' : 'not shown';
    return { clause, verdict, broken };
  });
}
