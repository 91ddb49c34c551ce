import { byKey, FACT_LEAVES, FEATURES } from '../../../src/model/facts/fact-leaves.ts';
import type { InstanceFacts } from '../../../src/model/facts/instance-facts.ts';

/** Unknown features and limits, as defaults for fixtures. */
export const unknownFeatures: InstanceFacts['features'] = byKey(FEATURES, () => null);
export const unknownLimits = byKey(
  FACT_LEAVES.filter(({ parent }) => parent === 'limits'),
  () => null,
) as Record<string, null> as InstanceFacts['limits'];
