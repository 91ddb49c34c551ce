import { describe, expect, test } from 'vitest';
import type { Domain } from '../../src/domain/domain.ts';
import { storedDomain } from '../../src/domain/stored-domain.ts';
import { UNKNOWN_HOST } from '../../src/record/host-facts.ts';
import type { Visit } from '../../src/record/visit.ts';
import { openStore } from '../../src/store/open-store.ts';
import { loopsVisit, recorded } from './sample-visit.ts';
import { scratchPath } from './scratch.ts';

const [a, b, c] = ['a.example.org', 'b.example.org', 'c.example.org'].map(storedDomain) as [Domain, Domain, Domain];

/** What is listed after one visit to each domain, which were entered in this order. */
async function listedAfter(visits: Record<string, Partial<Visit>>): Promise<{ names: string[]; count: number }> {
  await using store = await openStore({ path: scratchPath() });
  Object.keys(visits).forEach((domain, index) => {
    store.enter([storedDomain(domain)], index + 1);
  });
  const leases = store.lease(10, 100);
  store.record(
    leases.map((lease) => recorded(lease, 100, loopsVisit(lease.record.domain, 100, visits[lease.record.domain]))),
  );
  using reader = store.reader();
  return { names: [...reader.instances()].map(({ domain }) => domain), count: reader.counts(100).listed };
}

const pointing = (pointsTo: Domain, more: Partial<Visit> = {}): Partial<Visit> => ({
  host: { ...UNKNOWN_HOST, pointsTo },
  ...more,
});
const byNodeInfo: Partial<Visit> = { via: 'nodeinfo', reason: 'nodeinfo-software' };

describe('the directory', () => {
  test.each<[string, Record<string, Partial<Visit>>, string[]]>([
    ['every instance', { [b]: {}, [a]: {} }, [a, b]],
    ['none that asks not to be published', { [a]: { host: { ...UNKNOWN_HOST, noindex: true } }, [b]: {} }, [b]],
    ['an instance that points at one that does not point back', { [a]: pointing(b), [b]: {} }, [a, b]],
    ['of two that point at each other the one known for longer', { [b]: pointing(a), [a]: pointing(b) }, [b]],
    [
      'of two that point at each other the one that config names',
      { [a]: pointing(b, byNodeInfo), [b]: pointing(a) },
      [b],
    ],
    [
      'of two that point at each other the one that is not asked to be left out',
      { [b]: pointing(a, { host: { ...UNKNOWN_HOST, pointsTo: a, noindex: true } }), [a]: pointing(b) },
      [a],
    ],
    ['both where the other is no instance', { [a]: pointing(b), [b]: pointing(a, { verdict: 'other' }) }, [a]],
    ['an instance that points at one nobody knows', { [a]: pointing(c) }, [a]],
  ])('holds %s', async (_what, visits, expected) => {
    expect(await listedAfter(visits)).toEqual({ names: expected, count: expected.length });
  });
});
