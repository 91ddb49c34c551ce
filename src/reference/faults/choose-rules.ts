import { normaliseTarget } from '../normalise-target.ts';
import { checkSetting } from '../options/json-file.ts';
import { type Random, randomInteger } from '../random.ts';
import type { Delay, FaultRule } from './fault-rule.ts';

/** A server whose answers something is wrong with. */
export interface FaultSource {
  readonly faults: readonly FaultRule[];
  /** Milliseconds before each answer. */
  readonly delayMs: Delay;
  /** Decides about rules that apply to some requests only. */
  readonly random: Random;
  readonly now: () => number;
}

/** What a request meets: a wait, and then one fault or none. */
export interface Meeting {
  waitMs: number;
  rule: FaultRule | undefined;
}

/** How often each rule of a list may still apply; a rule that stands in another list as well counts there anew. */
export type Remaining = WeakMap<readonly FaultRule[], Map<FaultRule, number>>;

/**
 * The first rule that applies to a request is the one that does; a `delay` is added to the wait, and the rules after it are
 * looked at as well. Rules that apply so many times are counted down in `remaining`.
 * @param target normalised.
 * @throws {JsonFileError} when a rule that was added to the list is none.
 */
export function chooseRules(source: FaultSource, method: string, target: string, remaining: Remaining): Meeting {
  const path = pathOf(target);
  const counts = countsOf(source.faults, remaining);
  let waitMs = draw(source.delayMs, source.random);
  for (const rule of source.faults) {
    if (!isFor(rule, method, path)) continue;
    if (rule.probability !== undefined && source.random() >= rule.probability) continue;
    const left = counts.get(rule) ?? Number.POSITIVE_INFINITY;
    if (left <= 0) continue;
    counts.set(rule, left - 1);
    if (rule.fault !== 'delay') return { waitMs, rule };
    waitMs += draw(rule.ms, source.random);
  }
  return { waitMs, rule: undefined };
}

/** The counts of a list, with a check and a count for each rule that is new to it. */
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

function isFor({ route, method }: FaultRule, asked: string, path: string): boolean {
  if (method !== undefined && method !== asked) return false;
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
