import { SERVER_CLAUSES } from '../../src/conform/clauses/clauses.ts';
import { type ConformOptions, type ConformRun, conform } from '../../src/conform/conform.ts';
import type { ClauseResult, Results } from '../../src/conform/results.ts';

/** Tests a server on this machine: every clause, at level `may`, without registering an app, unless the options say otherwise. */
export function runAgainst(base: string, options: Partial<ConformOptions> = {}): Promise<ConformRun> {
  return conform({
    base,
    profile: 'spec',
    level: 'may',
    clauses: SERVER_CLAUSES,
    writes: false,
    apps: 1,
    user: null,
    token: null,
    video: null,
    approveButton: null,
    expected: {},
    perMinute: null,
    timeoutMs: 15_000,
    tool: 'Loopscout 0.0.0',
    signal: new AbortController().signal,
    ...options,
  });
}

/** The clauses that did not pass, as `id: verdict: why`. */
export function notPassed({ clauses }: Results): string[] {
  return clauses.filter(({ verdict }) => verdict !== 'pass').map(({ id, verdict, why }) => `${id}: ${verdict}: ${why}`);
}

export function clauseOf({ clauses }: Results, id: string): ClauseResult {
  const found = clauses.find((clause) => clause.id === id);
  if (found === undefined) throw new Error(`there is no clause ${id}`);
  return found;
}
