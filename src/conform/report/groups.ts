import { counted } from '../../report/text-blocks.ts';
import { SECTION_TITLES } from '../clauses/section-titles.ts';
import { type ClauseResult, type ClauseVerdict, type Results, type SentAndReceived, unansweredOf } from '../results.ts';

/** The broken clauses that one exchange decides. */
export interface BrokenGroup {
  exchange: SentAndReceived | null;
  /** `fail` if any of the clauses is an unexpected failure. */
  verdict: 'fail' | 'warning';
  clauses: ClauseResult[];
}

/** Failures and warnings, grouped by the last exchange that decides them; unexpected failures first. */
export function brokenGroups({ clauses }: Results): BrokenGroup[] {
  const groups = new Map<string, BrokenGroup>();
  for (const clause of clauses) {
    if (clause.verdict !== 'fail' && clause.verdict !== 'warning') continue;
    const exchange = clause.exchanges.at(-1) ?? null;
    const key = JSON.stringify(exchange);
    const group = groups.get(key) ?? { exchange, verdict: 'warning', clauses: [] };
    group.clauses.push(clause);
    if (clause.verdict === 'fail' && clause.expected === null) group.verdict = 'fail';
    groups.set(key, group);
  }
  return [...groups.values()].toSorted((one, other) => one.verdict.localeCompare(other.verdict));
}

export interface SectionResult {
  section: string;
  title: string;
  clauses: ClauseResult[];
  counts: Readonly<Record<ClauseVerdict, number>>;
  worst: ClauseVerdict;
}

const WORST_FIRST: readonly ClauseVerdict[] = ['fail', 'warning', 'pass', 'not shown', 'skipped'];

export function sectionResults({ clauses }: Results): SectionResult[] {
  const sections = Map.groupBy(clauses, ({ section }) => section);
  return [...sections].map(([section, inSection]) => {
    const count = (verdict: ClauseVerdict) => inSection.filter((clause) => clause.verdict === verdict).length;
    return {
      section,
      title: SECTION_TITLES[section] ?? section,
      clauses: inSection,
      counts: Object.fromEntries(WORST_FIRST.map((verdict) => [verdict, count(verdict)])) as Record<
        ClauseVerdict,
        number
      >,
      worst: WORST_FIRST.find((verdict) => count(verdict) > 0) ?? 'skipped',
    };
  });
}

/** The undecided clauses, grouped by the reason, most frequent first. */
export function undecidedBy({ clauses }: Results): { why: string; verdict: ClauseVerdict; ids: string[] }[] {
  const undecided = clauses.filter(({ verdict }) => verdict === 'skipped' || verdict === 'not shown');
  return [...Map.groupBy(undecided, ({ verdict, why }) => `${verdict}: ${why}`).values()]
    .map((same) => ({
      why: same[0]?.why ?? '',
      verdict: same[0]?.verdict ?? 'skipped',
      ids: same.map(({ id }) => id),
    }))
    .toSorted((one, other) => other.ids.length - one.ids.length);
}

export function nameOf({ url }: Results): string {
  return url ?? 'the client';
}

/** The result in one sentence. */
export function headline(results: Results): string {
  const { subject, clauses, counts, isReached, isDecided, isInterrupted, requestsUnanswered, unexpectedPasses } =
    results;
  const name = nameOf(results);
  if (isInterrupted) return `the test of ${name} was interrupted, so its result is not complete`;
  if (!isReached) return subject === 'client' ? `${name} sent no request` : `${name} could not be reached`;
  if (results.signInProblem !== null) return `${name} was not tested with a user: ${results.signInProblem}`;
  if (!isDecided) return `no clause was decided for ${name}`;
  const failures = clauses.filter(({ verdict, expected }) => verdict === 'fail' && expected === null).length;
  const decided = counts.pass + counts.fail + counts.warning;
  const unanswered = unansweredOf(clauses).length;
  const cause = `because ${counted(requestsUnanswered, 'request was', 'requests were')} not answered, or only with 429`;
  const gap = unanswered === 0 ? '' : `; ${unanswered} more could not be decided, ${cause}`;
  if (failures > 0) return `${name} fails ${failures} of ${counted(decided, 'decided clause')}${gap}`;
  if (unanswered > 0) return `${counted(unanswered, 'clause')} could not be decided for ${name}, ${cause}`;
  if (unexpectedPasses.length > 0)
    return `${name} passes ${counted(unexpectedPasses.length, 'clause that was', 'clauses that were')} expected to fail`;
  const known = counts.fail > 0 ? `, apart from ${counted(counts.fail, 'expected failure')}` : '';
  const undecided = clauses.length - decided;
  const rest = undecided > 0 ? `; ${counted(undecided, 'clause is', 'clauses are')} undecided` : '';
  return `${name} fails no clause${known}${rest}`;
}

/** The conditions of the run in one sentence. */
export function conditions({ profile, level, requests, durationMs, counts, tokensLeft }: Results): string {
  const numbers = Object.entries(counts).filter(([, count]) => count > 0);
  const found = numbers.map(([verdict, count]) => `${count} ${VERDICT_WORDS[verdict as ClauseVerdict]}`).join(', ');
  const seconds = (durationMs / 1_000).toFixed(1);
  const left =
    tokensLeft === 0
      ? ''
      : ` The server did not revoke ${counted(tokensLeft, 'token')} of this run: ${tokensLeft === 1 ? 'it is' : 'they are'} valid until ${tokensLeft === 1 ? 'it expires' : 'they expire'}, or until the user ends them there.`;
  const run = profile === null ? `Level ${level}` : `Profile ${profile}, level ${level}`;
  return `${found}. ${run}, ${counted(requests, 'request')} in ${seconds} s.${left}`;
}

const VERDICT_WORDS: Readonly<Record<ClauseVerdict, string>> = {
  fail: 'failed',
  warning: 'with a warning',
  pass: 'passed',
  'not shown': 'not shown',
  skipped: 'skipped',
};
