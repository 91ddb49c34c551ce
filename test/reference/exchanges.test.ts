import { expect, it } from 'vitest';
import { createReferenceServer, type Exchange } from '../../src/reference/index.ts';

it('`onExchange` gets each request as it was sent, with its answer, before the client gets the answer', async () => {
  const exchanges: Exchange[] = [];
  await using server = await createReferenceServer({
    onExchange: (exchange, state) => {
      exchanges.push(exchange);
      state.config.app.name = `after ${exchanges.length}`;
    },
    faults: [{ route: '/oauth/revoke', fault: 'rate-limited', retryAfter: 3 }],
  });
  const post = (path: string, body: string, type = 'application/json') =>
    fetch(server.url + path, { method: 'POST', body, headers: { 'content-type': type, 'x-one': 'A' } });

  await fetch(`${server.url}/api/v1/%63onfig?x=%41`);
  const registration = 'client_name=Mine&redirect_uris=https%3A%2F%2Fapp.example%2F';
  const appResponse = await post('/api/v1/apps', registration, 'application/x-www-form-urlencoded');
  const appAnswer = await appResponse.text();
  await post('/oauth/token', '{"grant_type":');
  await post('/oauth/revoke', '{"token":"t"}');
  const config = (await (await fetch(`${server.url}/api/v1/config`)).json()) as { app: { name: string } };

  // The call for the fourth request changed the state before the fifth.
  expect(config.app.name).toBe('after 4');
  expect(exchanges.map(({ method, target, status, body }) => [method, target, status, body])).toEqual([
    ['GET', '/api/v1/%63onfig?x=%41', 200, null],
    ['POST', '/api/v1/apps', 200, { client_name: 'Mine', redirect_uris: 'https://app.example/' }],
    // The body is not JSON.
    ['POST', '/oauth/token', 400, null],
    // The fault answers before the body is read.
    ['POST', '/oauth/revoke', 429, null],
    ['GET', '/api/v1/config', 200, null],
  ]);
  expect(exchanges[1]).toMatchObject({
    headers: { 'x-one': 'A' },
    answer: appAnswer,
    answerHeaders: { 'cache-control': 'no-store' },
  });
  const hasPlausibleTimes = ({ at, answeredAt }: Exchange) => answeredAt >= at && at > Date.now() - 60_000;
  expect(exchanges.map(hasPlausibleTimes)).not.toContain(false);
});
