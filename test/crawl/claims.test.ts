import { expect, test } from 'vitest';
import { claimsOf } from '../../src/crawl/claims.ts';
import { createVisitBuilder } from '../../src/identify/visit-builder.ts';
import { type Domain, storedDomain } from '../../src/model/domain/domain.ts';
import { createAdmission } from '../../src/queue/admission.ts';

/** No limit on either; a host still has one slot. */
const limits = { perAddress: 0, perRegistrableDomain: 0 };
const zero = () => 0;
const claimsFor = (domain: Domain) =>
  claimsOf({ builder: createVisitBuilder(domain, zero, zero), addresses: [] }, limits);

test.each([
  ['loops.example.org', 'loops.example.org:8443', true],
  ['loops.example.org:8444', 'loops.example.org:8443', true],
  ['www.loops.example.org', 'loops.example.org', true],
  ['www.loops.example.org:8443', 'loops.example.org', true],
  ['videos.loops.example.org', 'loops.example.org', false],
  ['wwwloops.example.org', 'loops.example.org', false],
])('while %s is visited, a visit to %s waits: %s', async (visited, next, waits) => {
  const admission = createAdmission();
  await admission.enter(claimsFor(storedDomain(visited)));
  expect(admission.isFull(claimsFor(storedDomain(next)))).toBe(waits);
});
