import { NO_OPT_OUTS } from '../../src/http/admit-host.ts';
import type { VisitContext } from '../../src/identify/visit-context.ts';

/** A visit to a host under `.example`, without a store and without limits. */
export function visitContext(parts: Partial<VisitContext> = {}): VisitContext {
  return {
    softwareId: 'loops',
    robots: 'standard',
    allowSuffixes: ['example'],
    now: Date.now,
    isOptedOut: NO_OPT_OUTS,
    mayContactHost: () => true,
    cachedRobots: null,
    aliasOf: () => null,
    ...parts,
  };
}
