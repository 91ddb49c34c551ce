import { visitContextOf } from '../../src/app/network.ts';
import type { VisitContext } from '../../src/identify/visit-context.ts';

/** A visit to a host under `.example`, without a store and without limits. */
export function visitContext(parts: Partial<VisitContext> = {}): VisitContext {
  return visitContextOf({ softwareId: 'loops', robots: 'standard', domains: { allowSuffixes: ['example'] } }, parts);
}
