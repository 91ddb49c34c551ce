import { expect, test } from 'vitest';
import type { Timeline } from '../../src/directory/schema/timeline.ts';
import { hour, loopsVisit, sampleFactsAt, unreachableVisit } from '../store/sample-visit.ts';
import { fillStore, nameOf, START, visitOnce } from './fill-store.ts';
import { openApi } from './open-api.ts';

const url = `/api/v1/instances/${nameOf(1)}/timeline`;

test('the timeline of an instance has its visits by day and its last counts of each day', async () => {
  const { get } = await openApi((store) => {
    fillStore(store, 2);
    for (const [hours, users] of [
      [6, 10],
      [12, 20],
    ] as const) {
      const at = START + hours * hour;
      const facts = sampleFactsAt(at);
      const read = { ...facts, usage: { ...facts.usage, users } };
      visitOnce(store, nameOf(1), at, loopsVisit(nameOf(1), at, { facts: read, durationMs: 100 * hours }));
    }
    for (const hours of [18, 23])
      visitOnce(store, nameOf(1), START + hours * hour, unreachableVisit(nameOf(1), START + hours * hour));
  });
  const { days, step, counts }: Timeline = (await get(url)).json();
  expect(days).toHaveLength(90);
  expect(days.at(-2)).toEqual({
    ...{
      day: '2026-01-01',
      // Down since the middle of the visits after 12 h and 18 h.
      share: 0.625,
      coverage: 1,
      visits: 5,
      failed: 2,
      reason: 'connect-refused',
      responseMs: 600,
    },
  });
  expect(days.at(-3)).toMatchObject({ day: '2025-12-31', share: null, visits: 0 });
  expect(step).toBe('day');
  expect(counts).toHaveLength(2);
  expect(counts[0]).toMatchObject({ from: '2026-01-01', users: 20 });
  expect(counts[1]).toMatchObject({ from: '2026-01-02', users: null, posts: null });
});

test('a long history has one entry per week, and weeks without counts are unknown', async () => {
  const { get } = await openApi((store) => {
    fillStore(store, 2, START - 200 * 24 * hour);
    visitOnce(store, nameOf(1), START, loopsVisit(nameOf(1), START, { facts: sampleFactsAt(START) }));
  });
  const { step, counts }: Timeline = (await get(url)).json();
  expect(step).toBe('week');
  expect(counts).toHaveLength(30);
  expect(counts[0]?.users).toBe(3);
  expect(counts[1]?.users).toBeNull();
  expect(counts.at(-1)).toMatchObject({ from: '2025-12-29', users: 1_234 });
});

test('an unknown domain has no timeline', async () => {
  const { get } = await openApi((store) => fillStore(store, 2));
  expect((await get('/api/v1/instances/unknown.example.org/timeline')).statusCode).toBe(404);
});
