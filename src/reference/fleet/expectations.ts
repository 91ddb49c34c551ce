import type { Expectation } from './kind.ts';

export const currentVersion = '1.0.0-beta.14';

export function loopsByConfig(version: string = currentVersion): Expectation {
  return { verdict: 'loops', reason: 'config-software', via: 'config', software: 'loops', version };
}

export function loopsByNodeInfo(version: string = currentVersion): Expectation {
  return { verdict: 'loops', reason: 'nodeinfo-software', via: 'nodeinfo', software: 'loops', version };
}

export function otherByConfig(software: string, version: string | null): Expectation {
  return { verdict: 'other', reason: 'config-software', via: 'config', software, version };
}

export function otherByNodeInfo(software: string, version: string | null): Expectation {
  return { verdict: 'other', reason: 'nodeinfo-software', via: 'nodeinfo', software, version };
}

/** A verdict that names no software. */
export function without(verdict: Expectation['verdict'], reason: string | null): Expectation {
  return { verdict, reason, via: null, software: null, version: null };
}
