import { expect, test } from 'vitest';
import { openApi } from './open-api.ts';

test('`/health` reports the health as uncacheable JSON, with 200 when ok and 503 when failing', async () => {
  for (const [status, code] of [
    ['ok', 200],
    ['failing', 503],
  ] as const) {
    const { get } = await openApi(undefined, { health: () => ({ status, problems: ['x'] }) });
    const answer = await get('/health');
    expect(answer.status).toBe(code);
    expect(answer.headers['content-type']).toMatch(/^application\/json/);
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.json()).toEqual({ status, problems: ['x'] });
  }
});

test('the API closes even while a client keeps its connection open', async () => {
  const { api } = await openApi();
  const url = await api.listen({ host: '127.0.0.1', port: 0 });
  await fetch(`${url}/health`, { keepalive: true });
  await api.close();
});
