import { setTimeout as wait } from 'node:timers/promises';
import { Evidence, type EvidenceOptions, type ProbeOutcome, Undecided } from '../evidence.ts';
import { headerOf, type ProbeExchange, type SentRequest } from '../exchange.ts';
import { type Browser, decide, type User } from './consent.ts';
import { type Need, PROBE_IDS, PROBE_NEEDS, type ProbeId } from './probe-ids.ts';
import { PLANS } from './probes.ts';
import { getPage } from './requests.ts';
import type { OnWait, Send } from './sender.ts';

export interface RunOptions extends EvidenceOptions {
  /** Whether apps may be registered and tokens be requested. */
  writes: boolean;
  /** The user who signs in; null: nobody. */
  user: User | null;
  /** How many apps may be registered. */
  apps: 1 | 2;
  /** After it aborts, only `revoke-rest` is sent. */
  signal: AbortSignal;
  /** Called before the run waits because the server asked for a pause. */
  onWait: OnWait;
}

/** After this many failed requests, the run only revokes its tokens. */
const MAX_FAILURES = 3;

/** The sum of the pauses that a run makes because the server limits its requests is at most this, in milliseconds. */
const MAX_PAUSES_MS = 60_000;

const UNANSWERED = { isUnanswered: true };

/** Runs probes in order and collects their outcomes. */
export async function runProbes(probes: readonly ProbeId[], options: RunOptions, send: Send): Promise<Evidence> {
  const evidence = new Evidence(options);
  const browser: Browser = { cookies: new Map(), hasSignedIn: false, signInProblem: null };
  const { signal, onWait } = options;
  let failures = 0;
  let pauseLeftMs = MAX_PAUSES_MS;
  const sendCounted = async (probe: ProbeId, request: SentRequest) => {
    const exchange = await send(probe, request);
    if (exchange.failure !== null) failures++;
    return exchange;
  };
  /** Sends a request. If the server asks for a pause, adds the exchange to `sent` and sends the request again after the pause. */
  const sendWithPause = async (probe: ProbeId, request: SentRequest, sent: ProbeExchange[]) => {
    const exchange = await sendCounted(probe, request);
    const pauseMs = pauseOf(exchange);
    if (pauseMs === null || pauseMs > pauseLeftMs || signal.aborted) return exchange;
    pauseLeftMs -= pauseMs;
    onWait(pauseMs, 'retry-after');
    await wait(pauseMs, undefined, { signal }).catch(() => undefined);
    sent.push(exchange);
    const second = await sendCounted(probe, request);
    // If the server still limits requests, the run does not wait for it again.
    if (pauseOf(second) !== null) pauseLeftMs = -1;
    return second;
  };
  for (const probe of probes) evidence.add(probe, await outcomeOf(probe));
  return evidence;

  async function outcomeOf(probe: ProbeId): Promise<ProbeOutcome> {
    const missing = missingFor(PROBE_NEEDS[probe], options);
    if (missing !== null) return { skipped: new Undecided('skipped', missing) };
    if (failures >= MAX_FAILURES && probe !== 'revoke-rest') {
      return { skipped: new Undecided('skipped', `${MAX_FAILURES} earlier requests failed`, UNANSWERED) };
    }
    // Without its user, a run would only repeat the sign-in page.
    if (['user', 'second app'].includes(PROBE_NEEDS[probe]) && evidence.signInProblem !== null) {
      return { skipped: new Undecided('skipped', evidence.signInProblem) };
    }
    try {
      return toOutcome(await exchangesOf(probe));
    } catch (error) {
      if (error instanceof Undecided) return { skipped: error };
      if (signal.aborted && error === signal.reason)
        return { skipped: new Undecided('skipped', 'the run was interrupted', UNANSWERED) };
      throw error;
    }
  }

  async function exchangesOf(probe: ProbeId): Promise<ProbeExchange[]> {
    const plan = PLANS[probe];
    const sent: ProbeExchange[] = [];
    if ('request' in plan || 'requests' in plan) {
      const requests = 'request' in plan ? [plan.request(evidence)] : plan.requests(evidence);
      for (const request of requests) sent.push(await sendWithPause(probe, request, sent));
      return sent;
    }
    const { user, writes } = options;
    const sendOne = (request: SentRequest) => sendWithPause(probe, request, sent);
    const isRefusal = 'refusal' in plan;
    const start = isRefusal ? plan.refusal(evidence) : plan.page(evidence);
    if (isRefusal && (user === null || !writes)) {
      const answered = await sendOne(getPage(start));
      return [...sent, answered];
    }
    if (user === null) throw new Undecided('skipped', NEEDS.user);
    const visited = await decide(start, { user, decision: isRefusal ? 'approve' : plan.decision, browser }, sendOne);
    evidence.signInProblem ??= browser.signInProblem;
    return [...sent, ...visited];
  }
}

function toOutcome([first, ...others]: readonly ProbeExchange[]): ProbeOutcome {
  if (first === undefined) return { skipped: new Undecided('skipped', 'there was nothing to send') };
  return { exchanges: [first, ...others] };
}

/** The pause that a refusal with 429 asks for, in milliseconds; null without one. */
function pauseOf({ answer }: ProbeExchange): number | null {
  if (answer?.status !== 429) return null;
  const value = headerOf(answer, 'retry-after') ?? '';
  const pauseMs = /^\d+$/.test(value) ? Number(value) * 1_000 : Date.parse(value) - Date.now();
  return Number.isFinite(pauseMs) ? Math.max(0, pauseMs) : null;
}

const NEEDS: Readonly<Record<Exclude<Need, 'nothing'>, string>> = {
  write: 'it needs --write',
  user: 'it needs --write, --username and a password',
  token: 'it needs --token, or --write, --username and a password',
  video: 'it needs --video with the id of a video',
  'second app': 'it needs --apps 2, --write, --username and a password',
  'token and video': 'it needs --video, and --token, or --write, --username and a password',
};

/** Why a probe cannot be run with these options; null when it can. */
export function missingFor(
  need: Need,
  { writes, user, token, video, apps }: Pick<RunOptions, 'writes' | 'user' | 'token' | 'video' | 'apps'>,
): string | null {
  const has: Record<Need, boolean> = {
    nothing: true,
    write: writes,
    user: writes && user !== null,
    token: token !== null || (writes && user !== null),
    video: video !== null,
    'second app': writes && user !== null && apps === 2,
    'token and video': video !== null && (token !== null || (writes && user !== null)),
  };
  return need === 'nothing' || has[need] ? null : NEEDS[need];
}

/** The probes and those that must run before them, in the order of a run. */
export function withPrerequisites(probes: readonly ProbeId[]): ProbeId[] {
  const needed = new Set<ProbeId>();
  const add = (probe: ProbeId): void => {
    if (needed.has(probe)) return;
    needed.add(probe);
    PLANS[probe].after.forEach(add);
  };
  probes.forEach(add);
  if (needed.has('apps')) needed.add('revoke-rest');
  return PROBE_IDS.filter((probe) => needed.has(probe));
}
