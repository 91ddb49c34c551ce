import { expect, test } from 'vitest';
import { createHourlyLimit } from '../../src/crawl/hourly-limit.ts';

const HOUR = 3_600_000;

test('an event is refused while any of its keys has reached its limit within the last hour', () => {
  let at = 0;
  const limit = createHourlyLimit(() => at);
  const [site, domain] = [
    { key: 'site', limit: 1 },
    { key: 'domain', limit: 2 },
  ];
  expect(limit.count([site, domain])).toBe(true);
  at = 1_000;
  expect(limit.waitMs([site, domain])).toBe(HOUR - 1_000);
  expect(limit.count([site, domain])).toBe(false);
  expect(limit.count([domain])).toBe(true);
  expect(limit.count([domain])).toBe(false);
  at = HOUR;
  expect(limit.waitMs([site, domain])).toBe(0);
});

test('a revoked event does not count', () => {
  const limit = createHourlyLimit(() => 0);
  const claim = { key: 'site', limit: 1 };
  expect(limit.count([claim])).toBe(true);
  limit.revoke([claim]);
  expect(limit.count([claim])).toBe(true);
});
