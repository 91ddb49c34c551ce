import { expect, test } from 'vitest';
import { storedDomain } from '../../src/model/domain/domain.ts';
import { createSeenDomains } from '../../src/sources/seen-domains.ts';

test('a million seen domains take at most 16 bytes each, even while the tables grow', () => {
  const before = process.memoryUsage().arrayBuffers;
  const seen = createSeenDomains();
  let merged = 0;
  let peakBytes = 0;
  for (let index = 0; index < 1_000_000; index += 1) {
    if (!seen.add(storedDomain(`host-${index}.example.org`))) merged += 1;
    if (index % 10_000 === 0) peakBytes = Math.max(peakBytes, process.memoryUsage().arrayBuffers - before);
  }
  expect(merged).toBe(0);
  expect(peakBytes / 1e6).toBeLessThan(16);
});
