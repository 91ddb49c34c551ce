import type { Cadence } from '../../model/cadence.ts';
import type { Conclusive, DomainRecord, DomainState } from '../../model/domain-record.ts';
import { REASONS, type Reason } from '../../model/reason.ts';
import { describeOutcome } from '../../model/step.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../model/time.ts';
import type { Verdict } from '../../model/verdict.ts';

/** Whether a verdict identifies the host. */
export function isConclusive(verdict: Verdict | null): verdict is Conclusive {
  return verdict === 'loops' || verdict === 'other' || verdict === 'alias';
}

/** Whether a visit failed: no answer, or, for a domain that once ran Loops, an answer that does not identify the software. */
export function isFailure(verdict: Verdict, wasEverLoops: boolean): boolean {
  return verdict === 'unreachable' || (verdict === 'unidentified' && wasEverLoops);
}

/** Whether a user added the domain while it was dead or gone, and it has not been visited since. */
export function hasPendingRequest({ state, lastVisit }: Pick<DomainRecord, 'state' | 'lastVisit'>): boolean {
  return state === 'new' && lastVisit !== null;
}

/** When a failing domain becomes dead. */
export type DeathPolicy = Pick<Cadence, 'deadAfterFailures' | 'deadAfterDays'>;

/** An event that can change the state of a domain; `at` is the start of the visit. */
export type DomainEvent =
  /** A visit failed; `failures` and `failingSince` include it. `cause`: the underlying reason, by default the reason itself. */
  | { kind: 'failed'; at: number; reason: Reason; cause?: Reason; failures: number; failingSince: number }
  | { kind: 'succeeded'; at: number; reason: Reason }
  | { kind: 'added'; why: string };

/** A state, and why the domain has it, as text. */
export interface Transition {
  state: DomainState;
  why: string;
}

/**
 * The state of a domain after an event. If the state stays the same, so does its `why`. Pure.
 *
 * @param now decides whether the failures have lasted long enough; milliseconds since the epoch.
 */
export function transition(
  before: Pick<DomainRecord, 'state' | 'stateSince' | 'stateWhy' | 'failingSince' | 'lastVisit'>,
  event: DomainEvent,
  now: number,
  policy: DeathPolicy,
): Transition {
  const next = nextState(before, event, now, policy);
  return next.state === before.state ? { state: before.state, why: before.stateWhy } : next;
}

function nextState(
  before: Parameters<typeof transition>[0],
  event: DomainEvent,
  now: number,
  policy: DeathPolicy,
): Transition {
  const unchanged = { state: before.state, why: before.stateWhy };
  switch (event.kind) {
    case 'added':
      return isDeadOrGone(before.state) ? { state: 'new', why: event.why } : unchanged;
    case 'succeeded':
      if (event.reason === 'gone') return { state: 'gone', why: 'it answered 410 Gone' };
      // A forbidden address was not contacted, so the domain is not revived.
      if (event.reason === 'forbidden-address') {
        if (isDeadOrGone(before.state)) return unchanged;
        if (hasPendingRequest(before))
          return { state: 'dead', why: `a user requested a visit, but the host was ${notContacted}` };
      }
      return { state: 'active', why: whyActive(before, event) };
    case 'failed':
      // A failure never revives a domain.
      if (isDeadOrGone(before.state)) return unchanged;
      if (hasPendingRequest(before)) return { state: 'dead', why: 'a user requested a visit, which failed again' };
      return afterFailure(event, now, policy);
  }
}

/** The earliest time at which the planned visits can make a failing instance dead. */
export function earliestDeath(
  {
    failures,
    failingSince,
    stateSince,
    nextVisit,
  }: Pick<DomainRecord, 'failures' | 'failingSince' | 'stateSince' | 'nextVisit'>,
  { deadAfterDays, deadAfterFailures, downFirstDayHours, downHours, jitter }: Cadence,
): number {
  const shortestWaitMs = Math.min(downFirstDayHours, downHours) * (1 - jitter) * HOUR_MS;
  const waits = Math.max(0, deadAfterFailures - failures);
  const lastVisit = (nextVisit ?? stateSince) + waits * shortestWaitMs;
  return Math.max((failingSince ?? stateSince) + deadAfterDays * DAY_MS, lastVisit);
}

/** In these states a domain is not listed until its host answers again. */
function isDeadOrGone(state: DomainState): boolean {
  return state === 'dead' || state === 'gone';
}

const notContacted = `not contacted: ${REASONS['forbidden-address'].means}`;

function afterFailure(
  { reason, cause = reason, failures, failingSince }: Extract<DomainEvent, { kind: 'failed' }>,
  now: number,
  policy: DeathPolicy,
): Transition {
  const isLong = now - failingSince > policy.deadAfterDays * DAY_MS;
  if (failures > policy.deadAfterFailures && isLong) {
    const since = new Date(failingSince).toISOString().slice(0, 10);
    return { state: 'dead', why: `failed ${failures === 1 ? 'once' : `${failures} times in a row`} since ${since}` };
  }
  return { state: 'failing', why: `failed: ${describeOutcome(reason, cause)}` };
}

function whyActive(
  { state, stateSince, failingSince }: Parameters<typeof transition>[0],
  { at, reason }: Extract<DomainEvent, { kind: 'succeeded' }>,
): string {
  if (reason === 'forbidden-address') return notContacted;
  if (state === 'new') return answerText(reason);
  return `answered again after ${durationText(at - Math.min(failingSince ?? stateSince, stateSince))}`;
}

/** A duration in its largest whole unit: `12 days`, `1 hour`. */
function durationText(ms: number): string {
  const [unit, length] = (
    [
      ['day', DAY_MS],
      ['hour', HOUR_MS],
      ['minute', MINUTE_MS],
    ] as const
  ).find(([, unitMs]) => ms >= unitMs) ?? ['minute', 0];
  if (length === 0) return 'less than a minute';
  const count = Math.floor(ms / length);
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}

/** Texts for reasons whose meaning does not fit after "it answers, but". */
const ANSWER_TEXTS: Readonly<Partial<Record<Reason, string>>> = {
  'no-nodeinfo': 'it answers, but has no NodeInfo document',
  'access-refused': 'it answers, but refuses every request for a document (403 Forbidden)',
  'nodeinfo-unavailable': 'it answers, but NodeInfo failed with a server error or gave no answer',
  'default-page': 'it answers, but only with the default page of a newly installed web server',
  'maintenance-page': 'it answers, but with a maintenance page instead of a document',
  'web-app': 'it answers every path with the page of a single-page web app, and has no NodeInfo',
  'rate-limited': 'it answers, but with 429 Too Many Requests',
};

/** The answer of a successful visit as text: `answered: the configuration endpoint names the software`. */
function answerText(reason: Reason): string {
  const { verdicts, means } = REASONS[reason];
  const isIdentified = verdicts.some(isConclusive);
  return isIdentified ? `answered: ${means}` : (ANSWER_TEXTS[reason] ?? `it answers, but ${means}`);
}
