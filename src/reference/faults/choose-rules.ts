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

/** How often each rule may still apply. */
export type Remaining = WeakMap<FaultRule, number>;

/**
 * The first rule that applies to a request is the one that does; a `delay` is added to the wait, and the rules after it are
 * looked at as well. Rules that apply so many times are counted down in `remaining`.
 */
export function chooseRules(source: FaultSource, method: string, target: string, remaining: Remaining): Meeting {
  const path = pathOf(target);
  let waitMs = draw(source.delayMs, source.random);
  for (const rule of source.faults) {
    if (!isFor(rule, method, path)) continue;
    if (rule.probability !== undefined && source.random() >= rule.probability) continue;
    if (rule.times !== undefined) {
      const left = remaining.get(rule) ?? rule.times;
      if (left <= 0) continue;
      remaining.set(rule, left - 1);
    }
    if (rule.fault !== 'delay') return { waitMs, rule };
    waitMs += draw(rule.ms, source.random);
  }
  return { waitMs, rule: undefined };
}

function isFor({ route, method }: FaultRule, asked: string, path: string): boolean {
  if (method !== undefined && method !== asked) return false;
  return route.endsWith('*') ? path.startsWith(route.slice(0, -1)) : path === route;
}

function pathOf(target: string): string {
  const query = target.indexOf('?');
  return query === -1 ? target : target.slice(0, query);
}

function draw(delay: Delay, random: Random): number {
  return typeof delay === 'number' ? delay : randomInteger(random, ...delay);
}
