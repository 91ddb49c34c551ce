import { expect, test } from 'vitest';
import { HostLimits, slotsFor } from '../../src/crawl/host-limits.ts';
import { storedDomain } from '../../src/model/domain/domain.ts';

/** No limit on either; a host still has one slot. */
const limits = { perAddress: 0, perRegistrableDomain: 0 };

test.each([
  ['loops.example.org', 'loops.example.org:8443', true],
  ['loops.example.org:8444', 'loops.example.org:8443', true],
  ['www.loops.example.org', 'loops.example.org', true],
  ['www.loops.example.org:8443', 'loops.example.org', true],
  ['videos.loops.example.org', 'loops.example.org', false],
  ['wwwloops.example.org', 'loops.example.org', false],
])('while %s is visited, a visit to %s waits: %s', async (visited, next, waits) => {
  const hostLimits = new HostLimits();
  await hostLimits.acquire(slotsFor(storedDomain(visited), [], limits));
  expect(hostLimits.isFull(slotsFor(storedDomain(next), [], limits))).toBe(waits);
});
