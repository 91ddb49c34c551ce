import { normaliseTarget } from '../normalise-target.ts';
import { checkSetting } from '../options/json-file.ts';
import { type Random, randomInteger } from '../random.ts';
import type { Delay, FaultRule } from './fault-rule.ts';

/** The faults and delays of one server. */
export interface FaultSettings {
  readonly faults: readonly FaultRule[];
  /** Milliseconds before each answer. */
  readonly delayMs: Delay;
  /** Draws delays, and decides whether a rule with a `probability` applies. */
  readonly random: Random;
  readonly now: () => number;
}

export interface FaultRequest {
  readonly method: string;
  readonly target: string;
  readonly userAgent?: string | undefined;
}

/** The effect on one request: a wait, then at most one fault. */
export interface RequestFault {
  waitMs: number;
  rule: FaultRule | undefined;
}

/** How many more times each rule of a list may apply. A rule in two lists is counted separately in each. */
export type RemainingTimes = WeakMap<readonly FaultRule[], Map<FaultRule, number>>;

/**
 * Chooses the first rule that matches a request. A `delay` rule only adds to the wait, and matching continues after it. Rules
 * with `times` are counted down in `remaining`.
 * @param request its target is normalised.
 * @throws {JsonFileError} when a rule that was added to the list is invalid.
 */
export function chooseFault(settings: FaultSettings, request: FaultRequest, remaining: RemainingTimes): RequestFault {
  const counts = countsOf(settings.faults, remaining);
  let waitMs = drawDelay(settings.delayMs, settings.random);
  for (const rule of settings.faults) {
    if (!matchesRequest(rule, request)) continue;
    if (rule.probability !== undefined && settings.random() >= rule.probability) continue;
    const remainingTimes = counts.get(rule) ?? Number.POSITIVE_INFINITY;
    if (remainingTimes <= 0) continue;
    counts.set(rule, remainingTimes - 1);
    if (rule.fault !== 'delay') return { waitMs, rule };
    waitMs += drawDelay(rule.ms, settings.random);
  }
  return { waitMs, rule: undefined };
}

/** The counts of a list. Rules that are new in the list are validated first. */
function countsOf(faults: readonly FaultRule[], remaining: RemainingTimes): Map<FaultRule, number> {
  let counts = remaining.get(faults);
  if (counts === undefined) {
    counts = new Map();
    remaining.set(faults, counts);
  }
  for (const rule of faults) {
    if (counts.has(rule)) continue;
    checkSetting('faults', faults);
    counts.set(rule, rule.times ?? Number.POSITIVE_INFINITY);
  }
  return counts;
}

function matchesRequest(rule: FaultRule, { method, target, userAgent = '' }: FaultRequest): boolean {
  const { route } = rule;
  if (rule.method !== undefined && rule.method !== method) return false;
  if (rule.userAgentWithout !== undefined && userAgent.includes(rule.userAgentWithout)) return false;
  if (route === '*') return true;
  const path = pathOf(target);
  return route.endsWith('*') ? path.startsWith(normaliseTarget(route.slice(0, -1))) : path === normaliseTarget(route);
}

function pathOf(target: string): string {
  const questionMark = target.indexOf('?');
  return questionMark === -1 ? target : target.slice(0, questionMark);
}

function drawDelay(delay: Delay, random: Random): number {
  return typeof delay === 'number' ? delay : randomInteger(random, ...delay);
}
