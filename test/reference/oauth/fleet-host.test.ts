import { request } from 'node:https';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFleet, type Fleet } from '../../../src/reference/index.ts';

let fleet: Fleet;
beforeAll(async () => {
  fleet = await createFleet({ hosts: 2, mix: { loops: 1 } });
});
afterAll(async () => fleet.close());

/** Sends a GET request, or a POST request with a JSON body, to a host of the fleet. */
async function sendRequest(domain: string, path: string, body?: unknown) {
  const [servername] = domain.split(':');
  const options = { host: '127.0.0.1', port: fleet.port, path, servername, ca: fleet.caPem, agent: false as const };
  const headers = { host: domain, 'content-type': 'application/json' };
  return new Promise<{ status: number | undefined; json: Record<string, unknown> }>((resolve, reject) => {
    const clientRequest = request({ ...options, headers, method: body === undefined ? 'GET' : 'POST' }, (answer) => {
      text(answer).then((received) => resolve({ status: answer.statusCode, json: JSON.parse(received) }), reject);
    });
    clientRequest.on('error', reject);
    clientRequest.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

describe('a host of a fleet', () => {
  it('is a separate authorization server with its own apps only', async () => {
    const [domain, otherDomain] = fleet.hosts.map((host) => host.domain);
    if (domain === undefined || otherDomain === undefined) throw new Error('A host is missing.');
    const metadata = await sendRequest(domain, '/.well-known/oauth-authorization-server');
    expect(metadata.json).toMatchObject({
      issuer: `https://${domain}`,
      token_endpoint: `https://${domain}/oauth/token`,
    });
    const registration = { client_name: 'A', redirect_uris: 'https://client.example/' };
    const { json } = await sendRequest(domain, '/api/v1/apps', registration);
    const { client_id, client_secret } = json;
    const body = { grant_type: 'client_credentials', client_id, client_secret };
    expect((await sendRequest(domain, '/oauth/token', body)).status).toBe(200);
    expect(await sendRequest(otherDomain, '/oauth/token', body)).toMatchObject({
      status: 401,
      json: { error: 'invalid_client' },
    });
  });
});
