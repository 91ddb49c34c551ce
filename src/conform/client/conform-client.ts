import type { ClientClause, Level } from '../clauses/clause.ts';
import type { ConformRun } from '../conform.ts';
import type { ProbeExchange } from '../exchange.ts';
import { createRedactor, type Redactor } from '../redact.ts';
import { sentAndReceived } from '../report/sent-and-received.ts';
import { type ClauseResult, type SentAndReceived, tally } from '../results.ts';
import type { Call, ClientRun } from './call.ts';
import { type ClientResult, judgeClient } from './judge-client.ts';
import { type Drive, type PlayOptions, playScenario } from './play.ts';
import type { Scenario } from './scenario.ts';

export interface ConformClientOptions extends PlayOptions {
  scenarios: readonly Scenario[];
  clauses: readonly ClientClause[];
  /** The lowest level whose violations are failures. */
  level: Level;
  /** The expected failures: comments by clause id. */
  expected: Readonly<Record<string, string>>;
  /** Name and version. */
  tool: string;
  drive: Drive;
}

/** Plays the scenarios one after another and judges what the client sent. Rejects when `drive` does. */
export async function conformClient(options: ConformClientOptions): Promise<ConformRun> {
  const { scenarios, clauses, level, expected, tool, drive } = options;
  const startedAt = Date.now();
  const runs: ClientRun[] = [];
  for (const scenario of scenarios) runs.push(await playScenario(scenario, drive, options));
  const exchanges = runs.flatMap((run) => run.calls.map((call) => exchangeOf(call, run)));
  const redactor = createRedactor(
    exchanges,
    {},
    runs.map(({ url }) => url),
  );
  const results = judgeClient(runs, clauses, level);
  const judged = results.map((result) => clauseResult(result, runs, redactor, expected));
  return {
    results: {
      tool,
      subject: 'client',
      url: null,
      profile: null,
      level,
      writes: true,
      startedAt: new Date(startedAt).toISOString(),
      durationMs: Date.now() - startedAt,
      requests: exchanges.length,
      isReached: exchanges.length > 0,
      isInterrupted: false,
      requestsUnanswered: 0,
      signInProblem: null,
      tokensLeft: 0,
      ...tally(judged, { isInterrupted: false, signInProblem: null }),
      clauses: judged,
    },
    exchanges: exchanges.map(redactor.exchange),
  };
}

/** At most this many other scenarios are named. */
const MAX_NAMED = 3;

function clauseResult(
  { clause, verdict, broken }: ClientResult,
  runs: readonly ClientRun[],
  redactor: Redactor,
  expected: ConformClientOptions['expected'],
): ClauseResult {
  const [first] = broken;
  const others = [...new Set(broken.map(({ scenario }) => scenario))].filter((name) => name !== first?.scenario);
  const named = others.length > MAX_NAMED ? `${others.length} other scenarios` : others.join(', ');
  const also = others.length === 0 ? '' : `; also in ${named}`;
  const why = first === undefined ? null : `in the scenario ${first.scenario}, ${first.problem}${also}`;
  const run = runs.find(({ scenario }) => scenario === first?.scenario);
  const exchange = run === undefined || first?.call == null ? [] : [redactor.exchange(exchangeOf(first.call, run))];
  const { id, section, rfc = null, sentence, level } = clause;
  return {
    ...{ id, section, rfc, sentence, level },
    ...(verdict === 'not shown' ? undecided(clause, runs) : { verdict, why: why === null ? null : redactor.text(why) }),
    isUnanswered: false,
    expected: expected[id] ?? null,
    difference: clause.live?.difference ?? null,
    exchanges: exchange.map(withoutAnswerBody),
  };
}

function undecided({ scenarios }: ClientClause, runs: readonly ClientRun[]): Pick<ClauseResult, 'verdict' | 'why'> {
  const played = scenarios.filter((name) => runs.some(({ scenario }) => scenario === name));
  return played.length === 0
    ? { verdict: 'skipped', why: `it needs the scenario ${scenarios.join(' or ')}` }
    : { verdict: 'not shown', why: `the client did nothing that shows it in ${played.join(', ')}` };
}

/** The body that the reference server answered with says nothing about the client. */
function withoutAnswerBody(exchange: ProbeExchange): SentAndReceived {
  const { request, sent, received } = sentAndReceived(exchange);
  return { request, sent, received: received.split('\n', 1)[0] ?? '', curl: null };
}

function exchangeOf(call: Call, { scenario, url }: ClientRun): ProbeExchange {
  const { method, target, headers, body, at, answeredAt, status, answerHeaders, answer } = call;
  const isForm = String(headers['content-type']).startsWith('application/x-www-form-urlencoded');
  const text = isForm ? new URLSearchParams(body as Record<string, string>).toString() : JSON.stringify(body);
  return {
    probe: `scenario ${scenario}`,
    request: {
      method,
      url: `${url}${target}`,
      headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])),
      body: body === null ? null : text,
    },
    startedAt: new Date(at).toISOString(),
    ms: answeredAt - at,
    answer: { status, headers: Object.entries(answerHeaders), text: answer ?? '', isUtf8: true },
    failure: null,
  };
}
