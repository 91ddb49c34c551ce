import { normaliseTarget } from '../normalise-target.ts';
import { checkSetting } from '../options/json-file.ts';
import { type Random, randomInteger } from '../random.ts';
import type { Delay, FaultRule } from './fault-rule.ts';

/** The faults and delays of one server. */
export interface FaultSource {
  readonly faults: readonly FaultRule[];
  /** Milliseconds before each answer. */
  readonly delayMs: Delay;
  /** Draws delays, and decides whether a rule with a `probability` applies. */
  readonly random: Random;
  readonly now: () => number;
}

/** The effect on one request: a wait, then at most one fault. */
export interface RequestFault {
  waitMs: number;
  rule: FaultRule | undefined;
}

/** How often each rule of a list may still apply. A rule in two lists is counted separately in each. */
export type Remaining = WeakMap<readonly FaultRule[], Map<FaultRule, number>>;

/**
 * The first matching rule applies. A `delay` rule only adds to the wait, and matching continues after it. Rules with `times`
 * are counted down in `remaining`.
 * @param target normalised.
 * @throws {JsonFileError} when a rule that was added to the list is invalid.
 */
export function chooseRules(source: FaultSource, method: string, target: string, remaining: Remaining): RequestFault {
  const path = pathOf(target);
  const counts = countsOf(source.faults, remaining);
  let waitMs = draw(source.delayMs, source.random);
  for (const rule of source.faults) {
    if (!matchesRequest(rule, method, path)) continue;
    if (rule.probability !== undefined && source.random() >= rule.probability) continue;
    const left = counts.get(rule) ?? Number.POSITIVE_INFINITY;
    if (left <= 0) continue;
    counts.set(rule, left - 1);
    if (rule.fault !== 'delay') return { waitMs, rule };
    waitMs += draw(rule.ms, source.random);
  }
  return { waitMs, rule: undefined };
}

/** The counts of a list. Rules that are new in the list are validated first. */
function countsOf(faults: readonly FaultRule[], remaining: Remaining): Map<FaultRule, number> {
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

function matchesRequest(rule: FaultRule, method: string, path: string): boolean {
  const { route } = rule;
  if (rule.method !== undefined && rule.method !== method) return false;
  if (route === '*') return true;
  return route.endsWith('*') ? path.startsWith(normaliseTarget(route.slice(0, -1))) : path === normaliseTarget(route);
}

function pathOf(target: string): string {
  const query = target.indexOf('?');
  return query === -1 ? target : target.slice(0, query);
}

function draw(delay: Delay, random: Random): number {
  return typeof delay === 'number' ? delay : randomInteger(random, ...delay);
}
