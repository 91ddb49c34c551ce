import { expect, test } from 'vitest';
import { hour, loopsVisit, sampleFactsAt, unreachableVisit } from '../store/sample-visit.ts';
import { fillStore, nameOf, START, visitOnce } from './fill-store.ts';
import { openApi } from './open-api.ts';

interface Page {
  changes: { field: string; after: unknown; changedAt: string }[];
  usage: { users: number; visitedAt: string }[];
  next: string | null;
}

/** An API with an instance whose version and user count change at each visit. */
const open = (visits: number) =>
  openApi((store) => {
    fillStore(store, 2);
    for (let number = 1; number <= visits; number++) {
      const at = START + number * hour;
      const facts = sampleFactsAt(at);
      const version = `1.${number}.0`;
      const changedFacts = { ...facts, name: 'Instance 1', version, usage: { ...facts.usage, users: number } };
      visitOnce(store, nameOf(1), at, loopsVisit(nameOf(1), at, { version, facts: changedFacts }));
    }
  });

test('a history is paged newest first, with all changes and all counts', async () => {
  const { get } = await open(20);
  const url = `/api/v1/instances/${nameOf(1)}/history`;
  const full: Page = (await get(`${url}?limit=1000`)).json();
  expect(full.next).toBeNull();
  expect(full.usage).toHaveLength(21);
  expect(full.usage[0]).toMatchObject({ users: 20, visitedAt: new Date(START + 20 * hour).toISOString() });
  expect(full.changes.filter(({ field }) => field === 'version').map(({ after }) => after)[0]).toBe('1.20.0');
  const paged = { changes: [] as unknown[], usage: [] as unknown[] };
  for (let cursor = ''; ; ) {
    const page: Page = (await get(`${url}?limit=4${cursor}`)).json();
    paged.changes.push(...page.changes);
    paged.usage.push(...page.usage);
    if (page.next === null) break;
    cursor = `&cursor=${page.next}`;
  }
  expect(paged).toEqual({ changes: full.changes, usage: full.usage });
});

test('the uptime in a history equals that of the instance', async () => {
  const { get } = await openApi((store) => {
    fillStore(store, 2);
    for (const hours of [6, 8]) {
      const at = START + hours * hour;
      visitOnce(store, nameOf(1), at, unreachableVisit(nameOf(1), at));
    }
    for (const hours of [12, 18])
      visitOnce(store, nameOf(1), START + hours * hour, loopsVisit(nameOf(1), START + hours * hour));
  });
  const { uptime } = (await get(`/api/v1/instances/${nameOf(1)}`)).json();
  const history: Record<'day' | 'week' | 'month', { share: number | null; coverage: number }> = (
    await get(`/api/v1/instances/${nameOf(1)}/history`)
  ).json().uptime;
  for (const window of ['day', 'week', 'month'] as const) {
    expect([window, history[window].share, history[window].coverage]).toEqual([
      window,
      uptime[window],
      uptime.coverage[window],
    ]);
  }
  expect(history.day.share).toBeGreaterThan(0.5);
  expect(history.day.share).toBeLessThan(1);
});

test('changes of all domains can be followed oldest first; the cursor continues with later changes', async () => {
  const { get, store } = await open(3);
  const newest: Page = (await get('/api/v1/changes?limit=1000')).json();
  expect(newest.next).toBeNull();
  const followed: unknown[] = [];
  const follow = async (from: string | null): Promise<string | null> => {
    for (let next = from; ; ) {
      const page: Page = (
        await get(`/api/v1/changes?order=oldest&limit=3${next === null ? '' : `&cursor=${next}`}`)
      ).json();
      followed.push(...page.changes);
      next = page.next;
      if (page.changes.length === 0) return next;
    }
  };
  const next = await follow(null);
  expect(followed).toEqual([...newest.changes].reverse());
  followed.length = 0;
  const at = START + 10 * hour;
  const facts = { ...sampleFactsAt(at), name: 'Instance 1', version: '7.0.0' };
  visitOnce(store, nameOf(1), at, loopsVisit(nameOf(1), at, { version: '7.0.0', facts }));
  await follow(next);
  expect(followed).toContainEqual(expect.objectContaining({ domain: nameOf(1), field: 'version', after: '7.0.0' }));
  expect(followed.length).toBeLessThan(3);
});

test('an explanation has the requested number of visits, and keeps its ETag while unchanged', async () => {
  const { get } = await open(5);
  const url = `/api/v1/domains/${nameOf(1)}`;
  const explained = (await get(`${url}?visits=2`)).json();
  expect(explained).toMatchObject({ domain: nameOf(1), listed: true, state: 'active', verdict: 'loops' });
  expect(explained.visits).toHaveLength(2);
  const { headers } = await get(url);
  expect((await get(url, { 'if-none-match': String(headers.etag) })).status).toBe(304);
});
