import { expect, test } from 'vitest';
import type { HealthStatus } from '../../../src/api/resources/health.ts';
import { fillStore } from '../fill-store.ts';
import { openApi } from '../open-api.ts';

async function figuresOf(status: HealthStatus): Promise<string[]> {
  const { get } = await openApi((store) => fillStore(store, 20), { health: () => status });
  return (await get('/metrics')).text.split('\n');
}

test('the lateness of a lane is omitted while unknown, not 0', async () => {
  const lines = await figuresOf({
    status: 'ok',
    backlog: {
      loops: { due: 3, lateSeconds: 7 },
      first: { due: 0, lateSeconds: 0 },
      other: { due: 2, lateSeconds: null },
    },
  });
  for (const lane of ['loops', 'first', 'other']) {
    expect(lines.filter((line) => line.startsWith(`loopscout_domains_due{line="${lane}"}`))).toHaveLength(1);
  }
  expect(lines.filter((line) => line.startsWith('loopscout_domains_late_seconds{'))).toEqual([
    'loopscout_domains_late_seconds{line="loops"} 7',
    'loopscout_domains_late_seconds{line="first"} 0',
  ]);
});

test('crawl metrics are omitted by a service that does not crawl', async () => {
  const lines = await figuresOf({ status: 'failing' });
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
