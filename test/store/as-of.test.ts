import { expect, test } from 'vitest';
import { domainLineOf } from '../../src/export/datasets/domains.ts';
import { openReader } from '../../src/store/open-reader.ts';
import type { StoreReader } from '../../src/store/store-reader.ts';
import { instanceEntryOf } from '../../src/views/instance-entry-of.ts';
import { mutateDomains } from '../simulation/mutate-domains.ts';
import { simulateYear } from '../simulation/simulate-year.ts';

/** The published data as lines of text, which give readable differences. */
function published(reader: StoreReader, at: number): string[] {
  return [
    ...[...reader.domains()].map((record) => `domain ${JSON.stringify(domainLineOf(record, reader.mustBeRedacted))}`),
    ...[...reader.instances(at)].map((record) => `instance ${JSON.stringify(instanceEntryOf(record))}`),
    ...[...reader.changes()].map((change) => `change ${JSON.stringify(change)}`),
    ...[...reader.histories()].map(({ record, facts, changes, usage }) =>
      JSON.stringify({
        of: domainLineOf(record, reader.mustBeRedacted),
        facts,
        changes: [...changes()],
        usage: [...usage()],
      }),
    ),
    ...reader.visitMonths().flatMap((month) => [...reader.visits(month)].map((visit) => JSON.stringify(visit))),
    ...reader.usageMonths().flatMap((month) => [...reader.usage(month)].map((usage) => JSON.stringify(usage))),
  ];
}

test('a past state equals what was read at that time, whatever changed the domains', async () => {
  const expectedLines = new Map<number, string[]>();
  using year = await simulateYear({
    hosts: 300,
    seed: 5,
    days: 22,
    exportEveryDays: 0,
    onDay: (at, day, app) => {
      if (day % 4 !== 0) return;
      // Changes domains without a visit, so the state can differ from that after the last visit.
      mutateDomains(app, at, day);
      using reader = app.store.reader({ snapshot: true });
      expectedLines.set(at, published(reader, at));
    },
  });
  expect(expectedLines.size).toBe(6);
  for (const [at, expected] of expectedLines) {
    using reader = openReader(year.database, { busyTimeoutMs: 50, asOf: { at } });
    const lines = new Set(published(reader, at));
    expect(expected.filter((line) => !lines.has(line)).slice(0, 3), new Date(at).toISOString()).toEqual([]);
    expect(lines.size).toBe(new Set(expected).size);
  }
}, 120_000);
