import { z } from 'zod';
import { LEVELS, PROFILES } from './clauses/clause.ts';

/**
 * `fail`: a binding clause is broken. `warning`: the broken clause is weaker, or live servers are known to break it. `not shown`: the
 * subject did nothing that shows whether it follows the clause. `skipped`: a request or a value that decides the clause is missing.
 */
export const CLAUSE_VERDICTS = ['fail', 'warning', 'pass', 'not shown', 'skipped'] as const;
export type ClauseVerdict = (typeof CLAUSE_VERDICTS)[number];

const SentAndReceived = z.object({
  request: z.string().meta({ description: 'The method and the URL.' }),
  sent: z.string().nullable().meta({ description: 'The body of the request; null when it had none.' }),
  received: z
    .string()
    .meta({ description: 'Status, content type and the beginning of the body; or why nothing came.' }),
  curl: z.string().nullable().meta({
    description:
      'A command that repeats the request; null for the request of a client, and for one with a secret, which is not shown.',
  }),
});
export type SentAndReceived = z.infer<typeof SentAndReceived>;

const ClauseResult = z.object({
  id: z.string().meta({ description: 'The stable id of the clause.' }),
  section: z.string().meta({ description: 'The section of the specification.' }),
  rfc: z.string().nullable().meta({ description: 'The RFC and its section, if the statement comes from an RFC.' }),
  sentence: z.string().meta({ description: 'The statement.' }),
  level: z.enum(LEVELS),
  verdict: z.enum(CLAUSE_VERDICTS),
  why: z
    .string()
    .nullable()
    .meta({ description: 'What was found instead, or why the clause is undecided; null for a pass.' }),
  isUnanswered: z
    .boolean()
    .meta({ description: 'Whether the clause binds and is undecided because a request was not answered.' }),
  expected: z.string().nullable().meta({
    description: 'The comment on this clause in the file of expected failures; null when the clause is not in it.',
  }),
  difference: z.string().nullable().meta({ description: 'The known difference of live servers.' }),
  exchanges: z.array(SentAndReceived).meta({ description: 'The deciding requests of a failure or a warning.' }),
});
export type ClauseResult = z.infer<typeof ClauseResult>;

/** The results of a run, as `results.json`. Contains no secrets. */
export const Results = z
  .object({
    tool: z.string().meta({ description: 'The name and the version of the tool.' }),
    subject: z.enum(['server', 'client']),
    url: z.string().nullable().meta({ description: 'The base URL of the server; null for a client.' }),
    profile: z.enum(PROFILES).nullable().meta({ description: 'Null for a client.' }),
    level: z.enum(LEVELS).meta({ description: 'The lowest level whose violations are failures.' }),
    writes: z.boolean().meta({ description: 'Whether the run was allowed to register apps.' }),
    startedAt: z.iso.datetime().meta({ description: 'The start of the run, in UTC.' }),
    durationMs: z.int(),
    requests: z.int().meta({ description: 'The number of requests.' }),
    counts: z
      .object(
        Object.fromEntries(CLAUSE_VERDICTS.map((verdict) => [verdict, z.int()])) as Record<ClauseVerdict, z.ZodInt>,
      )
      .meta({ description: 'The number of clauses by verdict.' }),
    isReached: z
      .boolean()
      .meta({ description: 'Whether the server began to answer, or the client sent, any request.' }),
    isDecided: z.boolean().meta({ description: 'Whether any clause has the verdict pass, warning or fail.' }),
    isInterrupted: z.boolean().meta({ description: 'Whether the run was stopped before its end.' }),
    requestsUnanswered: z
      .int()
      .meta({ description: 'The number of requests that got no answer, or only the status 429.' }),
    signInProblem: z
      .string()
      .nullable()
      .meta({ description: 'Why the sign-in of the user failed; null when it did not fail.' }),
    tokensLeft: z.int().meta({ description: 'The number of tokens of the run that the server did not revoke.' }),
    isConformant: z.boolean().meta({
      description:
        'Whether the run had no unexpected failure, no clause that passed although it was expected to fail, no interruption, no failed sign-in, and no binding clause outside the file of expected failures that is undecided because a request was not answered.',
    }),
    unexpectedPasses: z
      .array(z.string())
      .meta({ description: 'Clauses in the file of expected failures that passed.' }),
    clauses: z.array(ClauseResult),
  })
  .meta({ title: 'Results of loopscout conform' });
export type Results = z.infer<typeof Results>;

/** The binding clauses that are undecided because a request was not answered, apart from those that were expected to fail. */
export function unansweredOf(clauses: readonly ClauseResult[]): ClauseResult[] {
  return clauses.filter(({ isUnanswered, expected }) => isUnanswered && expected === null);
}

/** Sums up the verdicts of all clauses. */
export function tally(
  clauses: readonly ClauseResult[],
  { isInterrupted, signInProblem }: Pick<Results, 'isInterrupted' | 'signInProblem'>,
): Pick<Results, 'counts' | 'isDecided' | 'isConformant' | 'unexpectedPasses'> {
  const count = (wanted: ClauseVerdict) => clauses.filter(({ verdict }) => verdict === wanted).length;
  const failures = clauses.filter(({ verdict, expected }) => verdict === 'fail' && expected === null);
  const passes = clauses.filter(({ verdict, expected }) => verdict === 'pass' && expected !== null);
  return {
    counts: Object.fromEntries(CLAUSE_VERDICTS.map((verdict) => [verdict, count(verdict)])) as Results['counts'],
    isDecided: clauses.some(({ verdict }) => verdict !== 'skipped' && verdict !== 'not shown'),
    isConformant:
      failures.length === 0 &&
      passes.length === 0 &&
      unansweredOf(clauses).length === 0 &&
      !isInterrupted &&
      signInProblem === null,
    unexpectedPasses: passes.map(({ id }) => id),
  };
}
