import autocannon from 'autocannon';
import { expect, it } from 'vitest';
import { defaultLimits } from '../../src/reference/data/open-data.ts';
import { startReferenceServer } from '../bench/start-reference-server.ts';

const json = { 'content-type': 'application/json' };
const registration = {
  method: 'POST',
  path: '/api/v1/apps',
  headers: json,
  body: JSON.stringify({ client_name: 'Client', redirect_uris: 'https://client.example/callback' }),
} as const;

/** Valid and refused requests to many endpoints. */
const mix: autocannon.Request[] = [
  { path: '/api/v1/config' },
  { path: '/.well-known/nodeinfo' },
  { path: '/nodeinfo/2.0' },
  { path: '/api/v1/video/1' },
  { path: '/.well-known/oauth-authorization-server' },
  { path: '/api/v1/account/info/self', headers: { authorization: 'Bearer unknown' } },
  { path: '/oauth/authorize?response_type=code&client_id=unknown&redirect_uri=https%3A%2F%2Fclient.example' },
  { method: 'POST', path: '/oauth/token', headers: json, body: '{"grant_type":"authorization_code","code":"unknown"}' },
  { method: 'POST', path: '/oauth/token', headers: json, body: '{"grant_type":' },
  { method: 'POST', path: '/api/v1/apps', headers: json, body: '{"client_name":""}' },
  { path: '/nothing/here' },
];

it('once its tables of tokens and apps are full, the reference server uses constant memory over 20,000 requests and 5,000 registrations', async () => {
  await using server = await startReferenceServer('reference');
  const send = async (requests: autocannon.Request[], amount: number) => {
    const result = await autocannon({ url: server.url, connections: 20, requests, amount });
    expect(result).toMatchObject({ errors: 0, timeouts: 0, '5xx': 0 });
    return result;
  };
  const registered = await fetch(`${server.url}/api/v1/apps`, registration);
  const { client_id, client_secret } = (await registered.json()) as { client_id: string; client_secret: string };
  const credentials = { grant_type: 'client_credentials', client_id, client_secret };
  const token = { method: 'POST', path: '/oauth/token', headers: json, body: JSON.stringify(credentials) } as const;

  // Warm-up: all code gets compiled, and the tables of tokens and apps fill up.
  expect((await send([token], defaultLimits.tokens + 5_000)).non2xx).toBe(0);
  const warmedUp = await server.usage();
  expect(warmedUp.rows.tokens).toBe(defaultLimits.tokens);
  expect((await send([registration], defaultLimits.apps)).non2xx).toBe(0);
  await send(mix, 5_000);

  const before = await server.usage();
  await send(mix, 20_000);
  const afterRequests = await server.usage();
  expect((await send([registration], 5_000)).non2xx).toBe(0);
  const after = await server.usage();

  expect(after.rows.apps).toBe(defaultLimits.apps);
  expect(after.rows.tokens).toBeLessThanOrEqual(defaultLimits.tokens);
  expect(afterRequests.heapMB - before.heapMB).toBeLessThan(5);
  expect(after.heapMB - before.heapMB).toBeLessThan(5);
});
