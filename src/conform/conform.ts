import { randomBytes } from 'node:crypto';
import { isUnread } from '../http/failure.ts';
import { LEVELS, type Level, type Profile, type ServerClause } from './clauses/clause.ts';
import { type Evidence, Undecided } from './evidence.ts';
import type { ProbeExchange } from './exchange.ts';
import { ENDPOINT_JUDGEMENTS } from './judgements/endpoint-judgements.ts';
import { FIELD_JUDGEMENTS } from './judgements/field-judgements.ts';
import { type Judgements, shorten } from './judgements/judge.ts';
import { OAUTH_JUDGEMENTS } from './judgements/oauth-judgements.ts';
import { RESOURCE_JUDGEMENTS } from './judgements/resource-judgements.ts';
import type { User } from './probes/consent.ts';
import { unrevokedTokens } from './probes/probes.ts';
import { runProbes, withPrerequisites } from './probes/run-probes.ts';
import { createSender, type OnWait } from './probes/sender.ts';
import { createRedactor, type Redactor } from './redact.ts';
import { curlOf, sentAndReceived } from './report/sent-and-received.ts';
import { type ClauseResult, type ClauseVerdict, type Results, tally } from './results.ts';

/** The judgement of every clause about servers. */
export const JUDGEMENTS: Judgements = {
  ...FIELD_JUDGEMENTS,
  ...RESOURCE_JUDGEMENTS,
  ...ENDPOINT_JUDGEMENTS,
  ...OAUTH_JUDGEMENTS,
};

export interface ConformOptions {
  /** Without a slash at the end. */
  base: string;
  profile: Profile;
  /** The lowest level whose violations are failures. */
  level: Level;
  clauses: readonly ServerClause[];
  /** Whether apps may be registered and tokens be requested. */
  writes: boolean;
  /** How many apps the run may register; the second one is for what one app cannot show. */
  apps: 1 | 2;
  user: User | null;
  token: string | null;
  video: string | null;
  /** The text of the button that approves; null: English words. */
  approveButton: string | null;
  /** The expected failures: comments by clause id. */
  expected: Readonly<Record<string, string>>;
  /** Maximum number of requests in any 60 seconds; null: no limit. */
  perMinute: number | null;
  timeoutMs: number;
  /** Name and version. */
  tool: string;
  signal: AbortSignal;
  onWait?: OnWait;
}

export interface ConformRun {
  results: Results;
  /** Every exchange, without secrets. */
  exchanges: ProbeExchange[];
}

/**
 * Tests a server against the clauses. Faults of the server become verdicts, not errors. After `signal` aborts, the run only revokes its
 * tokens, and the results say that it was interrupted.
 */
export async function conform(options: ConformOptions): Promise<ConformRun> {
  const { base, clauses, perMinute, timeoutMs, tool, signal, user, token, onWait = () => undefined } = options;
  const startedAt = new Date();
  const random = { nonce: randomBytes(6).toString('hex'), verifier: randomBytes(32).toString('base64url') };
  const sender = createSender({
    userAgent: `${tool.replace(' ', '/')} (conform)`,
    perMinute,
    timeoutMs,
    signal,
    onWait,
  });
  let evidence: Evidence;
  try {
    const probes = withPrerequisites(clauses.flatMap((clause) => clause.probes));
    const operator = user === null ? null : { ...user, approveButton: options.approveButton };
    evidence = await runProbes(probes, { ...options, user: operator, ...random, onWait }, sender.send);
  } finally {
    sender.close();
  }
  const { exchanges } = evidence;
  const isInterrupted = signal.aborted;
  const redactor = createRedactor(
    exchanges,
    {
      ...(user === null ? {} : { password: user.password }),
      ...(token === null ? {} : { token }),
    },
    [base],
  );
  const judged = clauses.map((clause) => judge(clause, evidence, redactor, options));
  const { profile, level, writes } = options;
  return {
    results: {
      tool,
      subject: 'server',
      url: base,
      profile,
      level,
      writes,
      startedAt: startedAt.toISOString(),
      durationMs: Date.now() - startedAt.getTime(),
      requests: exchanges.length,
      isReached: exchanges.some(
        ({ answer, failure }) =>
          answer !== null || (failure !== null && (failure === 'body-timeout' || isUnread(failure))),
      ),
      isInterrupted,
      requestsUnanswered: exchanges.filter(({ answer }) => answer === null || answer.status === 429).length,
      signInProblem: evidence.signInProblem === null ? null : redactor.text(evidence.signInProblem),
      tokensLeft: unrevokedTokens(evidence).length,
      ...tally(judged, { isInterrupted, signInProblem: evidence.signInProblem }),
      clauses: judged,
    },
    exchanges: exchanges.map(redactor.exchange),
  };
}

function judge(
  clause: ServerClause,
  evidence: Evidence,
  redactor: Redactor,
  { profile, level, expected }: ConformOptions,
): ClauseResult {
  const { verdict, why, isUnanswered = false } = decide(clause, evidence, profile, level);
  const isWrong = verdict === 'fail' || verdict === 'warning';
  const probes = isWrong ? clause.probes.filter((probe) => evidence.has(probe)) : [];
  return {
    id: clause.id,
    section: clause.section,
    rfc: clause.rfc ?? null,
    sentence: clause.sentence,
    level: clause.level,
    verdict,
    why: why === null ? null : shorten(redactor.text(why)),
    isUnanswered,
    expected: expected[clause.id] ?? null,
    difference: clause.live?.difference ?? null,
    exchanges: probes.map((probe) => {
      const exchange = evidence.exchange(probe);
      const shown = redactor.exchange(exchange);
      // A command with the names of secrets in place of the secrets would send another request.
      const isRepeatable = curlOf(shown.request) === curlOf(exchange.request);
      return { ...sentAndReceived(shown), curl: isRepeatable ? curlOf(shown.request) : null };
    }),
  };
}

function decide(
  clause: ServerClause,
  evidence: Evidence,
  profile: Profile,
  level: Level,
): { verdict: ClauseVerdict; why: string | null; isUnanswered?: boolean } {
  const inLive = profile === 'live' ? clause.live?.inLive : undefined;
  const isTolerated = inLive === 'warning' || inLive === 'not shown';
  const isBinding = LEVELS.indexOf(clause.level) <= LEVELS.indexOf(level) && !isTolerated;
  try {
    const judgement = JUDGEMENTS[clause.id];
    if (judgement === undefined) throw new Error(`the clause ${clause.id} has no judgement`);
    const why = judgement(evidence, profile);
    if (why === null) return { verdict: 'pass', why };
    if (inLive === 'not shown') return { verdict: 'not shown', why };
    return { verdict: isBinding ? 'fail' : 'warning', why };
  } catch (error) {
    if (!(error instanceof Undecided)) throw error;
    return { verdict: error.verdict, why: error.message, isUnanswered: isBinding && error.isUnanswered };
  }
}
