import fc from 'fast-check';
import { expect, test } from 'vitest';
import { InstanceTally } from '../../src/directory/tallies.ts';
import { byKey, COUNTS } from '../../src/model/facts/fact-leaves.ts';
import { usageFlags } from '../../src/model/facts/usage-flags.ts';

const count = fc.option(fc.oneof(fc.maxSafeNat(), fc.nat(5_000), fc.constant(Number.MAX_SAFE_INTEGER)));
const counts = fc.record(byKey(COUNTS, () => count));

test('no total exceeds 2^53 - 1 for any reports, and each report is in the total or counted as implausible', () => {
  fc.assert(
    fc.property(fc.array(counts, { minLength: 1, maxLength: 50 }), (instances) => {
      const tally = new InstanceTally();
      for (const usage of instances) {
        tally.add({ status: 'up', usage: { ...usage, asOf: null }, flags: usageFlags([{ at: 0, ...usage }]) });
      }
      for (const { key } of COUNTS) {
        const { total, reporting, implausible } = tally.counts[key];
        expect(total ?? 0).toBeLessThanOrEqual(Number.MAX_SAFE_INTEGER);
        expect(reporting + implausible).toBe(instances.filter((usage) => usage[key] !== null).length);
      }
    }),
  );
});
