import type { Profile } from '../clauses/clause.ts';
import { describeAnswer, type Evidence, isSuccess, jsonObject, Undecided, valueAt } from '../evidence.ts';
import { type Answer, headerOf } from '../exchange.ts';
import type { ProbeId } from '../probes/probe-ids.ts';

/**
 * Judges a clause by the evidence. Returns null if the server follows the clause, or the problem in one sentence without a period.
 *
 * @throws {Undecided} when the evidence does not decide the clause.
 */
export type Judge = (evidence: Evidence, profile: Profile) => string | null;

/** The judgements by clause id. */
export type Judgements = Readonly<Record<string, Judge>>;

const MAX_SHOWN = 120;

/** A value in a message. A long value is marked with control characters: {@link shorten} shortens it after secrets have been removed. */
export function show(value: unknown): string {
  const text = JSON.stringify(value) ?? 'missing';
  return text.length > MAX_SHOWN ? `\u0002${text}\u0003` : text;
}

/** Shortens the values that {@link show} marked. */
export function shorten(message: string): string {
  const [first = '', ...others] = message.split('\u0002');
  return others.reduce((result, part) => {
    const [text = '', rest = ''] = part.split('\u0003');
    return `${result}${text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN - 1)}…` : text}${rest}`;
  }, first);
}

/** Joins the distinct problems of several judgements; null when there are none. */
export function joinProblems(...found: readonly (string | null)[]): string | null {
  return [...new Set(found.filter((one) => one !== null))].join('; ') || null;
}

/**
 * Judges the evidence of each probe that was run.
 *
 * @throws {Undecided} when no probe decides the clause, or one got no answer and the others show no problem.
 */
export function eachOf(
  probes: readonly ProbeId[],
  judge: (probe: ProbeId, evidence: Evidence, profile: Profile) => string | null,
): Judge {
  return (evidence, profile) => {
    const runOrBlocked = probes.filter((probe) => evidence.has(probe) || evidence.isBlocked(probe));
    const first = probes[0];
    // Throws the reason why the probe was not run.
    if (runOrBlocked.length === 0 && first !== undefined) evidence.exchange(first);
    const decided: (string | null)[] = [];
    const undecided: Undecided[] = [];
    for (const probe of runOrBlocked) {
      try {
        decided.push(judge(probe, evidence, profile));
      } catch (error) {
        if (!(error instanceof Undecided)) throw error;
        undecided.push(error);
      }
    }
    const problem = joinProblems(...decided);
    const unanswered = undecided.find(({ isUnanswered }) => isUnanswered);
    if (problem === null && unanswered !== undefined) throw unanswered;
    const last = undecided.at(-1);
    if (decided.length === 0 && last !== undefined) throw last;
    return problem;
  };
}

/** The answer has one of these statuses, and a JSON object. */
export function answersJson(probe: ProbeId, statuses: readonly number[] = [200]): Judge {
  return (evidence) => {
    const { answer, failure } = evidence.exchange(probe);
    if (answer === null) return `there was no answer: ${failure}`;
    if (!statuses.includes(answer.status)) return describeAnswer(answer);
    return jsonObject(answer) === null
      ? `the body is not a JSON object: ${describeAnswer(answer)}`
      : encodingProblem(answer);
  };
}

/** JSON is UTF-8 without a byte order mark (RFC 8259 section 8.1). */
export function encodingProblem({ text, isUtf8 }: Answer): string | null {
  if (!isUtf8) return 'the body has bytes that are not valid UTF-8, the encoding of JSON (RFC 8259 section 8.1)';
  return text.startsWith('\uFEFF')
    ? 'the body begins with a byte order mark, which RFC 8259 section 8.1 forbids'
    : null;
}

const RESOURCE_FIELDS = ['id', 'username', 'shortcode'];

/** Whether the answer has an account or a video, bare or in `data`. */
export function hasResource(answer: Answer): boolean {
  const json = isSuccess(answer) ? jsonObject(answer) : null;
  return RESOURCE_FIELDS.some((field) => [field, `data.${field}`].some((path) => valueAt(json, path) !== undefined));
}

const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i;

export function hasJsonType(probe: ProbeId): Judge {
  return (evidence) => {
    evidence.json(probe);
    const type = headerOf(evidence.answer(probe), 'content-type');
    return type !== undefined && JSON_TYPE.test(type) ? null : `the content type is ${type ?? 'missing'}`;
  };
}

/** The status is one of the list. */
export function answersStatus(probe: ProbeId, statuses: readonly number[]): Judge {
  return (evidence) => {
    const answer = evidence.answer(probe);
    return statuses.includes(answer.status) ? null : describeAnswer(answer);
  };
}

/** @throws {Undecided} when the server has no such endpoint, so that a refusal shows nothing. */
export function requireEndpoint(answer: Answer): void {
  if (answer.status === 404 || answer.status === 405) {
    throw new Undecided('not shown', `the server has no such endpoint: ${describeAnswer(answer)}`);
  }
}

/** The request was refused with a status of 400 to 499, apart from 404 and 405 (no such endpoint) and 429 (rate limit). */
export function isRefused(probe: ProbeId): Judge {
  return (evidence) => {
    const answer = evidence.answer(probe);
    if (answer.status === 404 || answer.status === 405) {
      const problem = `the server has no such endpoint: ${describeAnswer(answer)}`;
      // The clause endpoint.revoke reports it.
      if (probe.startsWith('revoke')) throw new Undecided('skipped', problem);
      return problem;
    }
    if (answer.status >= 500) return `the server failed: ${describeAnswer(answer)}`;
    return answer.status >= 400 ? null : `it was accepted: ${describeAnswer(answer)}`;
  };
}

/** Like {@link isRefused}, and the answer has no token. */
export function givesNoToken(probe: ProbeId): Judge {
  return (evidence) => {
    const answer = evidence.answer(probe);
    if (jsonObject(answer)?.access_token !== undefined) return `it gave a token: ${describeAnswer(answer)}`;
    return isRefused(probe)(evidence, 'spec');
  };
}

/** A refusal of a token request names this error (RFC 6749 section 5.2). */
export function hasError(probe: ProbeId, error: string, statuses: readonly number[] = [400]): Judge {
  return (evidence) => {
    const answer = evidence.answer(probe);
    if (isSuccess(answer)) throw new Undecided('skipped', 'the request was accepted');
    const found = jsonObject(answer)?.error;
    return joinProblems(
      found === error ? null : `\`error\` is ${show(found)}`,
      statuses.includes(answer.status) ? null : describeAnswer(answer),
    );
  };
}
