import { expect, test } from 'vitest';
import { waitAfterLostLeasesMs } from '../../src/store/frontier/lost-leases.ts';

test('the first lost lease causes no wait', () => {
  expect(waitAfterLostLeasesMs(0)).toBe(0);
  expect(waitAfterLostLeasesMs(1)).toBe(0);
});

test('the wait is 1 s after two lost leases, and doubles with each further one', () => {
  expect([2, 3, 4, 5].map(waitAfterLostLeasesMs)).toEqual([1_000, 2_000, 4_000, 8_000]);
});

test('the wait never exceeds thirty days', () => {
  const thirtyDaysMs = 2_592_000_000;
  expect(waitAfterLostLeasesMs(23)).toBeLessThan(thirtyDaysMs);
  expect(waitAfterLostLeasesMs(24)).toBe(thirtyDaysMs);
  expect(waitAfterLostLeasesMs(100_000)).toBe(thirtyDaysMs);
});
