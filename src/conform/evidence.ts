import type { Profile } from './clauses/clause.ts';
import { type Answer, headerOf, type ProbeExchange } from './exchange.ts';
import type { ProbeId } from './probes/probe-ids.ts';
import { isRedirectUri } from './probes/redirect-uri.ts';

/** What a probe found: its exchanges, of which the last one decides; or why it sent nothing. */
export type ProbeOutcome = { exchanges: readonly [ProbeExchange, ...ProbeExchange[]] } | { skipped: Undecided };

/** Why a clause is undecided: its verdict is `not shown` or `skipped`. */
export class Undecided extends Error {
  readonly verdict: 'not shown' | 'skipped';
  /** Whether the cause is a request without an answer, a request refused with 429, or an interruption. */
  readonly isUnanswered: boolean;

  constructor(verdict: Undecided['verdict'], why: string, { isUnanswered = false } = {}) {
    super(why);
    this.verdict = verdict;
    this.isUnanswered = isUnanswered;
  }
}

/** A JSON object. */
export type Json = Readonly<Record<string, unknown>>;

export interface EvidenceOptions {
  profile: Profile;
  /** Without a slash at the end. */
  base: string;
  /** The token of `--token`. */
  token: string | null;
  /** The text of `--approve-button`; null without it. */
  approveButton: string | null;
  /** The id of `--video`. */
  video: string | null;
  /** A random text that every `state` contains. */
  nonce: string;
  /** The PKCE verifier of this run (RFC 7636). */
  verifier: string;
}

/** The outcomes of the probes so far. The methods from `exchange` on throw {@link Undecided} when what they return is missing. */
export class Evidence {
  readonly options: EvidenceOptions;
  /** Why the sign-in of the user failed; null when it did not. */
  signInProblem: string | null = null;
  readonly #outcomes = new Map<ProbeId, ProbeOutcome>();

  constructor(options: EvidenceOptions) {
    this.options = options;
  }

  add(probe: ProbeId, outcome: ProbeOutcome): void {
    this.#outcomes.set(probe, outcome);
  }

  get exchanges(): ProbeExchange[] {
    return [...this.#outcomes.values()].flatMap((outcome) => ('exchanges' in outcome ? outcome.exchanges : []));
  }

  /** Whether the probe sent a request. */
  has(probe: ProbeId): boolean {
    const outcome = this.#outcomes.get(probe);
    return outcome !== undefined && 'exchanges' in outcome;
  }

  /** Whether the probe sent nothing because an earlier request got no answer, or 429, or because the run was interrupted. */
  isBlocked(probe: ProbeId): boolean {
    const outcome = this.#outcomes.get(probe);
    return outcome !== undefined && 'skipped' in outcome && outcome.skipped.isUnanswered;
  }

  /** The deciding exchange of a probe. */
  exchange(probe: ProbeId): ProbeExchange {
    const outcome = this.#outcomes.get(probe);
    if (outcome === undefined) throw new Undecided('skipped', `the probe ${probe} was not run`);
    if ('skipped' in outcome) throw outcome.skipped;
    const last = outcome.exchanges.at(-1) ?? outcome.exchanges[0];
    if (last.answer?.status === 429) {
      throw new Undecided(
        'skipped',
        `the server limited the rate of requests at the probe ${probe}: try a lower --rate`,
        { isUnanswered: true },
      );
    }
    return last;
  }

  answer(probe: ProbeId): Answer {
    const { answer, failure, request } = this.exchange(probe);
    if (answer !== null) return answer;
    const what = `${request.method} ${URL.parse(request.url)?.pathname}`;
    throw new Undecided('skipped', `${what} got no answer: ${failure} (probe ${probe})`, { isUnanswered: true });
  }

  /** The JSON object of a 2xx answer. */
  json(probe: ProbeId): Json {
    const answer = this.answer(probe);
    const body = isSuccess(answer) ? jsonObject(answer) : null;
    if (body === null) {
      throw new Undecided('skipped', `the probe ${probe} found no JSON object: ${describeAnswer(answer)}`);
    }
    // Live servers wrap a video in `data`; whether they do is judged on the answer itself.
    return probe.startsWith('video') && this.options.profile === 'live' && isObject(body.data) ? body.data : body;
  }

  /** The value of a field of {@link json}. */
  field(probe: ProbeId, path: string): unknown {
    const value = valueAt(this.json(probe), path);
    if (value === undefined) throw new Undecided('skipped', `${path} is missing`);
    return value;
  }

  string(probe: ProbeId, path: string): string {
    const value = this.field(probe, path);
    if (typeof value !== 'string') throw new Undecided('skipped', `${path} is not a string`);
    return value;
  }

  number(probe: ProbeId, path: string): number {
    const value = this.field(probe, path);
    if (typeof value !== 'number') throw new Undecided('skipped', `${path} is not a number`);
    return value;
  }

  /** The redirect with which an authorization request ended at a redirect URI of this run; null when it ended elsewhere. */
  redirect(probe: ProbeId): URL | null {
    const { status } = this.answer(probe);
    const url = status >= 300 && status < 400 ? URL.parse(headerOf(this.answer(probe), 'location') ?? '') : null;
    return url !== null && isRedirectUri(url) ? url : null;
  }
}

export function isSuccess({ status }: Answer): boolean {
  return status >= 200 && status < 300;
}

const parsedAnswers = new WeakMap<object, Json | null>();

/** The body as a JSON object; null when it is anything else. A byte order mark is ignored. The result is cached, because many clauses read the same answer. */
export function jsonObject(answer: Pick<Answer, 'text'>): Json | null {
  const cached = parsedAnswers.get(answer);
  if (cached !== undefined) return cached;
  const json = parseObject(answer.text);
  parsedAnswers.set(answer, json);
  return json;
}

function parseObject(text: string): Json | null {
  try {
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ''));
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value at a path like `app.name`; undefined when it is missing. */
export function valueAt(value: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>((at, key) => (isObject(at) && Object.hasOwn(at, key) ? at[key] : undefined), value);
}

/** Status, content type and the target of a redirect, for a message. */
export function describeAnswer(answer: Answer): string {
  const type = headerOf(answer, 'content-type')?.split(';', 1)[0];
  const location = headerOf(answer, 'location');
  const target = location === undefined ? '' : `, Location: ${location}`;
  return `status ${answer.status}, ${type ?? 'no content type'}${target}`;
}
