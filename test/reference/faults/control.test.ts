import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FaultControl, startFaultControl } from '../../../src/reference/faults/control.ts';
import { createReferenceServer, type ReferenceServer } from '../../../src/reference/server.ts';

let server: ReferenceServer;
let control: FaultControl;
beforeAll(async () => {
  server = await createReferenceServer();
  control = await startFaultControl(server.state, 0);
});
afterAll(async () => {
  await control?.[Symbol.asyncDispose]();
  await server?.close();
});

const rule = { route: '/api/v1/config', fault: 'server-error', status: 503 };
const configStatus = async () => (await fetch(`${server.url}/api/v1/config`)).status;
const put = (body: unknown) =>
  fetch(`${control.url}/faults`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

describe('the fault control', () => {
  it('lists, sets and removes the faults of a running server', async () => {
    expect(await (await fetch(`${control.url}/faults`)).json()).toEqual([]);
    expect(await (await put([rule])).json()).toEqual([rule]);
    expect(await configStatus()).toBe(503);
    expect(await (await fetch(`${control.url}/faults`, { method: 'DELETE' })).json()).toEqual([]);
    expect(await configStatus()).toBe(200);
  });

  it.each<[what: string, body: unknown, problem: string]>([
    ['an invalid rule', [{ ...rule, status: 200 }], 'faults[0].status is 200'],
    ['a body that is not a list', rule, 'faults is {'],
  ])('answers %s with 422 and its problems, and changes nothing', async (_what, body, problem) => {
    const answer = await put(body);
    expect([answer.status, await answer.json()]).toEqual([
      422,
      { message: 'The faults are invalid.', problems: [expect.stringContaining(problem)] },
    ]);
    expect(server.state.faults).toEqual([]);
  });

  it('listens on 127.0.0.1, and refuses requests for another host name with 403', async () => {
    expect(new URL(control.url).hostname).toBe('127.0.0.1');
    const status = await new Promise((resolve) => {
      request(`${control.url}/faults`, { method: 'DELETE', headers: { host: 'rebound.example' } }, (answer) => {
        answer.resume();
        resolve(answer.statusCode);
      }).end();
    });
    expect(status).toBe(403);
  });

  it('accepts no POST, because a web page may send a form by POST without a preflight request', async () => {
    const answer = await fetch(`${control.url}/faults`, { method: 'POST', body: new URLSearchParams({ a: '1' }) });
    expect(answer.status).toBe(404);
  });
});
