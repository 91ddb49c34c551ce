import { expect, test } from 'vitest';
import type { HealthStatus } from '../../../src/api/resources/health.ts';
import { fillStore } from '../fill-store.ts';
import { openApi } from '../open-api.ts';

async function metricLinesFor(status: HealthStatus): Promise<string[]> {
  const { get } = await openApi((store) => fillStore(store, 20), { health: () => status });
  return (await get('/metrics')).text.split('\n');
}

test('the lateness of a lane is omitted, not 0, while it is unknown', async () => {
  const lines = await metricLinesFor({
    status: 'ok',
    backlog: {
      live: { due: 3, lateSeconds: 7 },
      new: { due: 0, lateSeconds: 0 },
      known: { due: 2, lateSeconds: null },
    },
  });
  for (const lane of ['live', 'new', 'known']) {
    expect(lines.filter((line) => line.startsWith(`loopscout_domains_due{line="${lane}"}`))).toHaveLength(1);
  }
  expect(lines.filter((line) => line.startsWith('loopscout_domains_late_seconds{'))).toEqual([
    'loopscout_domains_late_seconds{line="live"} 7',
    'loopscout_domains_late_seconds{line="new"} 0',
  ]);
});

test('each worker has metrics with its name, and a service without workers has no worker metrics', async () => {
  const worker = { version: '1.0.0', visits: 12, errors: 3, lastSeen: '2026-01-01T00:00:00.000Z' };
  const lines = await metricLinesFor({ status: 'ok', workers: [{ ...worker, name: 'west' }] });
  expect(lines.filter((line) => line.startsWith('loopscout_worker'))).toEqual([
    'loopscout_worker_info{worker="west",version="1.0.0"} 1',
    'loopscout_worker_visits_total{worker="west"} 12',
    'loopscout_worker_errors_total{worker="west"} 3',
    'loopscout_worker_last_seen_seconds{worker="west"} 1767225600',
  ]);
  expect((await metricLinesFor({ status: 'ok' })).join()).not.toContain('worker');
});

test('crawl metrics are omitted by a service that does not crawl', async () => {
  const lines = await metricLinesFor({ status: 'failing' });
  expect(lines).toContain('loopscout_healthy 0');
  expect(
    lines.filter((line) => /^loopscout_(?:domains_due|domains_late_seconds|visits_last_hour)\b/.test(line)),
  ).toEqual([]);
});

test('totals are counters, and reading them does not change them', async () => {
  const { get } = await openApi((store) => fillStore(store, 20));
  const read = async () => (await get('/metrics')).text.split('\n');
  const lines = await read();
  const again = await read();
  // 20 first visits with two changes each, and one failed visit with one change.
  for (const [name, value] of [
    ['visits_recorded_total', 21],
    ['changes_recorded_total', 41],
  ]) {
    expect(lines).toContain(`# TYPE loopscout_${name} counter`);
    expect(again.filter((line) => line.startsWith(`loopscout_${name} `))).toEqual(
      lines.filter((line) => line.startsWith(`loopscout_${name} `)),
    );
    expect(lines.find((line) => line.startsWith(`loopscout_${name} `))).toBe(`loopscout_${name} ${value}`);
  }
});
