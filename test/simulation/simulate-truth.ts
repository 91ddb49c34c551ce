import { mean, quantile } from 'd3-array';
import { afterVisit } from '../../src/crawl/schedule/after-visit.ts';
import { createConnectivity } from '../../src/http/connectivity.ts';
import { Cadence } from '../../src/model/cadence.ts';
import { storedDomain } from '../../src/model/domain/domain.ts';
import type { DomainRecord } from '../../src/model/domain-record.ts';
import { UNKNOWN_HOST } from '../../src/model/facts/host-facts.ts';
import { isDown } from '../../src/model/instance-record.ts';
import type { Reason } from '../../src/model/reason.ts';
import { type UptimeVisit, uptimeOf } from '../../src/model/uptime.ts';
import type { Verdict } from '../../src/model/verdict.ts';
import type { Visit } from '../../src/model/visit.ts';
import { unvisitedRecord } from '../model/unvisited-record.ts';
import { createDraw, pick } from './draw.ts';

/** What happens besides the outages of single operators and the accidents. */
export const SCENARIOS = {
  operators: 'outages of operators and accidents only',
  'network-drops': "the crawler's network drops packets for an hour; names are still resolved from a cache",
  'provider-outage': 'a provider of a third of the instances fails for eight hours',
  'rate-limited':
    'in a fifth of the outages with 5xx, half of the answers are 429, three in four of them with Retry-After',
  'crawler-off': 'the crawler is off for two days',
} as const;
export type Scenario = keyof typeof SCENARIOS;

export interface TruthOptions {
  scenario: Scenario;
  seed: number;
  instances?: number;
  /** Days that are measured, after {@link WARM_UP_DAYS}. */
  days?: number;
  /** The share of visits that fail although the server works. */
  accidents?: number;
  /** The share of the instances that never answer from the first measured day on. */
  failing?: number;
}

/** Shares are of all instance time; lags are in hours. */
export interface TruthFigures {
  shownDownWhileUp: number;
  shownUpWhileDown: number;
  noticed: Quantiles;
  recovered: Quantiles;
  /** The uptime of 30 days minus the true share, in points. */
  uptime: { bias: number; meanError: number; p95Error: number };
  visitsPerDay: number;
  /** The most instances that became down at a time because the crawler's network dropped packets. */
  mostBlamed: number;
}
type Quantiles = Record<'p50' | 'p90' | 'p99', number>;

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** The uptime of 30 days needs that many days of visits. */
const WARM_UP_DAYS = 31;
const START = Date.UTC(2026, 0, 1);
const cadence: Cadence = Cadence.parse({});

interface Outage {
  from: number;
  to: number;
  answer: Answer;
  isRateLimited: boolean;
}

interface Answer {
  verdict: Verdict;
  reason: Reason;
  step: { status: number | null; failure: string | null; ms: number };
  retryAfterMs?: number | null;
}

const answered = (status: number) => ({ status, failure: null, ms: 0 });
const failed = (failure: Reason): Answer => ({
  ...{ verdict: 'unreachable', reason: failure, step: { status: null, failure, ms: 0 } },
});
const UP: Answer = { verdict: 'loops', reason: 'config-software', step: answered(200) };
const SERVER_ERROR: Answer = { verdict: 'unreachable', reason: 'http-5xx', step: answered(503) };
const RATE_LIMITED: Answer = { verdict: 'declined', reason: 'rate-limited', step: answered(429) };
const ACCIDENTS = [failed('connect-timeout'), failed('response-timeout'), SERVER_ERROR];

/** Operators' outages: days between two on average, shortest and longest duration in hours, and what a visit gets. */
const OUTAGES = [
  { everyDays: 60, hours: [1, 12], answer: SERVER_ERROR },
  { everyDays: 180, hours: [24, 48], answer: failed('tls-expired') },
  { everyDays: 360, hours: [48, 48], answer: failed('dns-servfail') },
] as const;

interface Instance {
  record: DomainRecord;
  outages: Outage[];
  /** Newest last. */
  visits: UptimeVisit[];
  isShownDown: boolean;
  /** Times at which the shown status changed. */
  shown: { at: number; isDown: boolean }[];
}

/** Runs the schedule over instances whose outages are known, and compares what is shown with the truth. */
export async function simulateTruth(options: TruthOptions): Promise<TruthFigures> {
  const { scenario, seed, instances: count = 400, days = 60, accidents = 0.01, failing = 0 } = options;
  const draw = createDraw(seed);
  const from = START + WARM_UP_DAYS * DAY;
  const end = from + days * DAY;
  // In the middle of the measured days.
  const eventAt = from + Math.floor(days / 2) * DAY;
  const dropped = scenario === 'network-drops' ? { from: eventAt, to: eventAt + HOUR } : null;
  const off = scenario === 'crawler-off' ? { from: eventAt, to: eventAt + 2 * DAY } : null;
  let now = START;
  const isDropping = () => dropped !== null && now >= dropped.from && now < dropped.to;
  const connectivity = createConnectivity({
    resolver: { isAnswering: async () => true, canResolve: async () => true },
    clock: () => now,
    hasNetwork: () => true,
  });
  const all = Array.from({ length: count }, (_, index): Instance => {
    const outages = drawOutages(draw, end);
    if (scenario === 'provider-outage' && index % 3 === 0)
      outages.unshift({
        from: eventAt,
        to: eventAt + 8 * HOUR,
        answer: failed('connect-timeout'),
        isRateLimited: false,
      });
    if (scenario === 'rate-limited')
      for (const outage of outages) outage.isRateLimited = outage.answer === SERVER_ERROR && draw() < 0.2;
    if (index < count * failing) outages.push({ from, to: end, answer: SERVER_ERROR, isRateLimited: false });
    return {
      record: newRecord(index, draw),
      outages: withoutOverlaps(outages),
      visits: [],
      isShownDown: false,
      shown: [],
    };
  });

  const answerOf = ({ outages }: Instance): Answer => {
    if (isDropping()) return failed('connect-timeout');
    const outage = outages.find((one) => now >= one.from && now < one.to);
    if (outage?.isRateLimited && draw() < 0.5) return { ...RATE_LIMITED, retryAfterMs: draw() < 0.75 ? HOUR : null };
    if (outage !== undefined) return outage.answer;
    return draw() < accidents ? (ACCIDENTS[Math.floor(draw() * ACCIDENTS.length)] ?? UP) : UP;
  };

  let visits = 0;
  let mostBlamed = 0;
  let [offlineUntil, backoffMs] = [START, 10_000];
  const shares: { observed: number; actual: number }[] = [];
  /** Instances that may be due within a minute. */
  const calendar = new Map<number, Instance[]>();
  const plan = (instance: Instance, at: number) => {
    const minute = Math.ceil(at / MINUTE);
    const others = calendar.get(minute);
    if (others === undefined) calendar.set(minute, [instance]);
    else others.push(instance);
  };
  /** False when the crawler is offline; then the visit is not recorded. */
  const visit = async (instance: Instance, isWitness = false): Promise<boolean> => {
    const before = instance.record;
    const answer = answerOf(instance);
    const { verdict, reason, step } = answer;
    const outcome = {
      ...{ host: before.domain, failure: verdict === 'unreachable' ? reason : null, steps: [step], startedAt: now },
      hasFailedBefore: before.failures > 0,
    };
    visits += now >= from ? 1 : 0;
    if (!(await connectivity.isHostAtFault(outcome))) return false;
    let record = afterVisit(before, visitOf(before, now, answer), now, draw(), cadence);
    if (isWitness && record.failures > 0) return false;
    if (!isDown(before) && isDown(record) && !connectivity.hasOtherAnswered(before.domain, now)) {
      // As a pass of the crawler does.
      const up = all.filter((one) => !isDown(one.record) && one !== instance);
      const witnesses = Array.from({ length: Math.min(3, up.length) }, () => pick(draw, up as [Instance]));
      for (const witness of witnesses) await visit(witness, true);
      if (!connectivity.hasOtherAnswered(before.domain, now)) {
        if (witnesses.length > 0) return false;
        record = afterVisit(before, visitOf(before, now, answer), now, draw(), cadence, 3);
      }
    }
    instance.record = record;
    const answers = verdict === 'declined' ? null : verdict === 'loops';
    instance.visits.push({ at: now, nextVisit: record.nextVisit, isUp: answers });
    // A dead instance is not in the directory.
    const isShownDown = isDown(record) || record.state === 'dead';
    if (isShownDown !== instance.isShownDown) {
      instance.isShownDown = isShownDown;
      instance.shown.push({ at: now, isDown: instance.isShownDown });
    }
    return true;
  };

  for (const instance of all) plan(instance, instance.record.nextVisit ?? START);
  for (let minute = Math.ceil(START / MINUTE); minute < end / MINUTE; minute++) {
    now = minute * MINUTE;
    const due = calendar.get(minute) ?? [];
    calendar.delete(minute);
    for (const instance of due) {
      const isOff = off !== null && now >= off.from && now < off.to;
      if (isOff) plan(instance, off.to);
      else if (now < offlineUntil) plan(instance, offlineUntil);
      else if (await visit(instance)) {
        backoffMs = 10_000;
        plan(instance, Math.max(now + 1, instance.record.nextVisit ?? end));
      } else {
        offlineUntil = now + Math.max(backoffMs, 1);
        backoffMs = Math.min(2 * backoffMs, 300_000);
        plan(instance, offlineUntil);
      }
    }
    if (dropped !== null && now >= dropped.from && now < dropped.to + 2 * HOUR)
      mostBlamed = Math.max(mostBlamed, all.filter((one) => isBlamed(one, dropped.from)).length);
    if (now >= from && (now - from) % (5 * DAY) === 0)
      for (const { visits: seen, outages } of all) {
        const { share } = uptimeOf(seen.toReversed(), now).month;
        const actual = 1 - overlap(outages, now - 30 * DAY, now) / (30 * DAY);
        if (share !== null) shares.push({ observed: share, actual });
      }
  }
  return { ...compare(all, from, end), uptime: uptimeErrors(shares), visitsPerDay: visits / count / days, mostBlamed };
}

function newRecord(index: number, draw: () => number): DomainRecord {
  const record = unvisitedRecord(storedDomain(`server${index}.example.org`), START);
  return { ...record, nextVisit: START + Math.floor(draw() * 6 * HOUR) };
}

function visitOf({ domain }: DomainRecord, at: number, { verdict, reason, retryAfterMs = null }: Answer): Visit {
  const isLoops = verdict === 'loops';
  return {
    domain,
    at,
    durationMs: 0,
    verdict,
    reason,
    via: isLoops ? 'config' : null,
    software: isLoops ? 'loops' : null,
    version: null,
    aliasOf: null,
    facts: null,
    steps: [],
    documents: {},
    retryAfterMs,
    host: UNKNOWN_HOST,
    robots: null,
  };
}

/** Outages of an operator in order; none begins within a day after another. */
function drawOutages(draw: () => number, end: number): Outage[] {
  const drawn = OUTAGES.flatMap(({ everyDays, hours: [shortest, longest], answer }) => {
    const outages: Outage[] = [];
    for (let at = START; ; ) {
      at += -Math.log(1 - draw()) * everyDays * DAY;
      if (at > end) return outages;
      const to = at + (shortest + draw() * (longest - shortest)) * HOUR;
      outages.push({ from: at, to, answer, isRateLimited: false });
      at = to;
    }
  });
  return withoutOverlaps(drawn);
}

function withoutOverlaps(outages: readonly Outage[]): Outage[] {
  const kept: Outage[] = [];
  for (const outage of outages.toSorted((one, other) => one.from - other.from))
    if (outage.from > (kept.at(-1)?.to ?? 0) + DAY) kept.push(outage);
  return kept;
}

function isOut(outages: readonly Outage[], at: number): boolean {
  return outages.some(({ from, to }) => at >= from && at < to);
}

/** Whether an instance is shown as down since a visit after `from` that took place while it was up. */
function isBlamed({ shown, outages }: Instance, from: number): boolean {
  const last = shown.at(-1);
  return last?.isDown === true && last.at >= from && !isOut(outages, last.at);
}

function overlap(outages: readonly Pick<Outage, 'from' | 'to'>[], from: number, to: number): number {
  return outages.reduce((sum, one) => sum + Math.max(0, Math.min(one.to, to) - Math.max(one.from, from)), 0);
}

function compare(all: readonly Instance[], from: number, end: number) {
  let [downWhileUp, upWhileDown] = [0, 0];
  const [noticed, recovered]: [number[], number[]] = [[], []];
  for (const { outages, shown } of all) {
    const down = shown.flatMap(({ at, isDown: starts }, index) =>
      starts ? [{ from: at, to: shown[index + 1]?.at ?? end }] : [],
    );
    for (const period of down)
      downWhileUp += overlap([period], from, end) - overlap(outages, Math.max(period.from, from), period.to);
    for (const outage of outages) {
      upWhileDown +=
        overlap([outage], from, end) - overlap(down, Math.max(outage.from, from), Math.min(outage.to, end));
      if (outage.from < from) continue;
      // The first period that is shown as down and begins in the outage.
      const period = down.find((one) => one.from >= outage.from && one.from < outage.to);
      if (period === undefined) continue;
      noticed.push((period.from - outage.from) / HOUR);
      if (outage.to < end) recovered.push((period.to - outage.to) / HOUR);
    }
  }
  const total = all.length * (end - from);
  return {
    shownDownWhileUp: downWhileUp / total,
    shownUpWhileDown: upWhileDown / total,
    noticed: quantilesOf(noticed),
    recovered: quantilesOf(recovered),
  };
}

function quantilesOf(hours: readonly number[]): Quantiles {
  return { p50: quantile(hours, 0.5) ?? 0, p90: quantile(hours, 0.9) ?? 0, p99: quantile(hours, 0.99) ?? 0 };
}

function uptimeErrors(shares: readonly { observed: number; actual: number }[]) {
  const points = shares.map(({ observed, actual }) => 100 * (observed - actual));
  const errors = points.map(Math.abs);
  return { bias: mean(points) ?? 0, meanError: mean(errors) ?? 0, p95Error: quantile(errors, 0.95) ?? 0 };
}
