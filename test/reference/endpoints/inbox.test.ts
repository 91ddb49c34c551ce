import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createReferenceServer, type ReferenceServer } from '../../../src/reference/server.ts';

const deliver = async (server: ReferenceServer, path: string, headers: Record<string, string> = {}, body = '{}') => {
  const allHeaders = { 'content-type': 'application/activity+json', ...headers };
  const response = await fetch(server.url + path, { method: 'POST', headers: allHeaders, body });
  return [response.status, await response.json()];
};
const unsigned = [401, { error: 'Missing signature header' }];

describe.each(['spec', 'live'] as const)('the inboxes in the profile %s', (profile) => {
  let server: ReferenceServer;
  let paths: string[];
  beforeAll(async () => {
    server = await createReferenceServer({ profile });
    const ada = server.state.data.accounts.findByUsername('ada');
    paths = ['/ap/inbox', '/ap/actor/inbox', `/ap/users/${ada?.id}/inbox`];
  });
  afterAll(() => server.close());

  it('refuse an unsigned delivery with 401, whatever its body', async () => {
    for (const path of paths) {
      expect([path, await deliver(server, path)]).toEqual([path, unsigned]);
      const plainText = await deliver(server, path, { 'content-type': 'text/plain' }, 'a');
      expect([path, plainText]).toEqual([path, unsigned]);
      const unfinishedJson = await deliver(server, path, { 'content-type': 'application/json' }, '{');
      expect([path, unfinishedJson]).toEqual([path, unsigned]);
    }
  });

  it('refuse a signature without a key id or a value, and accept one with both', async () => {
    const [path = ''] = paths;
    const malformed = [401, { error: 'Malformed signature header' }];
    expect(await deliver(server, path, { signature: 'keyId="a"' })).toEqual(malformed);
    expect(await deliver(server, path, { signature: 'signature="AA=="' })).toEqual(malformed);
    const signature = 'keyId="https://peer.example/ap/actor#main-key",headers="date",signature="AA=="';
    expect(await deliver(server, path, { signature })).toEqual([202, { status: 'accepted' }]);
  });

  it('do not exist for a remote account, and refuse GET with 405', async () => {
    const rune = server.state.data.accounts.findByUsername('rune@clips.example');
    expect(rune?.local).toBe(false);
    expect(await deliver(server, `/ap/users/${rune?.id}/inbox`)).toEqual([404, { message: 'Not Found.' }]);
    const response = await fetch(`${server.url}/ap/inbox`);
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST']);
  });

  it('are hidden while federation is off, but only in the profile live', async () => {
    server.state.config.federation = false;
    const hidden = profile === 'live' ? [404, { message: 'Not Found.' }] : unsigned;
    for (const path of paths) expect([path, await deliver(server, path)]).toEqual([path, hidden]);
    server.state.config.federation = true;
  });
});
