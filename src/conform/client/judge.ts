import type { Call, ClientRun } from './call.ts';

/** One occasion on which a client could follow or break a clause. */
export interface Observation {
  scenario: string;
  /** What is wrong, as a sentence without a period; null when the clause was followed. */
  problem: string | null;
  /** The request that shows it, if one does. */
  call: Call | null;
}

/** Finds every observation of one clause in the runs of one client. An empty list: the clause is not shown. */
export type Judge = (runs: readonly ClientRun[]) => Observation[];

/** Judges each call that `select` returns; `problemOf` returns the problem, or null when the call follows the clause. */
export function eachCall(
  select: (run: ClientRun) => readonly Call[],
  problemOf: (call: Call, run: ClientRun, runs: readonly ClientRun[]) => string | null,
): Judge {
  return (runs) =>
    runs.flatMap((run) =>
      select(run).map((call) => ({ scenario: run.scenario, problem: problemOf(call, run, runs), call })),
    );
}

/** Judges each run as a whole; `judge` returns undefined when the run does not show the clause. */
export function eachRun(
  judge: (run: ClientRun, runs: readonly ClientRun[]) => Omit<Observation, 'scenario'> | undefined,
): Judge {
  return (runs) =>
    runs.flatMap((run) => {
      const observation = judge(run, runs);
      return observation === undefined ? [] : [{ scenario: run.scenario, ...observation }];
    });
}
