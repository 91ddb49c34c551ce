import { connect } from 'node:net';
import { createSecureContext } from 'node:tls';
import nock from 'nock';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createAddressGuard } from '../../src/http/address-guard.ts';
import { createHttp } from '../../src/http/visit-client.ts';
import { identify } from '../../src/identify/identify.ts';
import { createVisitBuilder } from '../../src/identify/visit-builder.ts';
import type { Visit } from '../../src/model/visit.ts';
import { resolverOf } from '../http/loopback.ts';
import { fixture } from './fixture.ts';
import { CONFIG, DISCOVERY, domainOf, expectConsistentVisit, NODEINFO, ROBOTS } from './scripted-visit.ts';
import { visitContext } from './visit-context.ts';

/** Requests that no nock scope matches. A visit alone would not reveal them: it takes each for a host that does not respond. */
const unexpected: string[] = [];

beforeAll(() => {
  nock.disableNetConnect();
  nock.emitter.on('no match', ({ method, url }) => unexpected.push(`${method} ${url}`));
});
afterEach(() => {
  const pending = nock.pendingMocks();
  nock.cleanAll();
  expect({ pending, unexpected: unexpected.splice(0) }).toEqual({ pending: [], unexpected: [] });
});
afterAll(() => {
  nock.emitter.removeAllListeners('no match');
  nock.enableNetConnect();
  nock.restore();
});

const openClient = createHttp({
  secureContext: createSecureContext(),
  guard: createAddressGuard([]),
  resolver: resolverOf(),
  userAgent: 'Loopscout/0.0.0 (+https://loopscout.example)',
  connectMs: 5_000,
  responseMs: 5_000,
  visitMs: 10_000,
  maxBodyBytes: 262_144,
  clock: () => performance.now(),
  // nock matches a request by the host of its connection.
  connector: (_address, port) => connect({ host: 'server.example', port }),
});

async function visit(): Promise<Visit> {
  const client = openClient('server.example', [{ address: '93.184.215.14', family: 4 }]);
  const found = await identify(
    createVisitBuilder(domainOf('server.example'), Date.now, () => performance.now()),
    client,
    visitContext(),
  );
  client.close();
  expectConsistentVisit(found);
  return found;
}

const host = () =>
  nock('https://server.example', { reqheaders: { 'user-agent': /^Loopscout\/\S+ \(\+https:\/\/\S+\)$/ } });

describe('a visit to', () => {
  it.each([
    ['Mastodon', 'nodeinfo-whole', 'mastodon', '4.5.2'],
    ['Pixelfed', 'nodeinfo-counts-as-strings', 'pixelfed', '0.12.6'],
    ['GoToSocial', 'nodeinfo-counts-absurd', 'gotosocial', '0.19.1'],
    ['WordPress', 'nodeinfo-users-list', 'wordpress', '6.8.3'],
    ['Hubzilla', 'nodeinfo-open-as-string', 'hubzilla', '8.8.6'],
    ['Akkoma', 'nodeinfo-block-lists', 'akkoma', '3.15.2'],
  ])('%s finds other software and its version', async (_what, fixtureName, software, version) => {
    host().get(ROBOTS).reply(404).get(CONFIG).reply(404, { error: 'Not Found' });
    host().get(DISCOVERY).reply(200, fixture('links-as-list'), { 'content-type': 'application/jrd+json' });
    host().get(NODEINFO).reply(200, fixture(fixtureName), { 'content-type': 'application/json; profile="x"' });
    expect(await visit()).toMatchObject({ verdict: 'other', via: 'nodeinfo', software, version });
  });

  it('PeerTube finds other software, although the config path answers 200', async () => {
    host().get(ROBOTS).reply(200, 'User-agent: *\nDisallow: /\nAllow: /.well-known/\nAllow: /nodeinfo/\n');
    host().get(CONFIG).reply(200, fixture('config-peertube'));
    host().get(DISCOVERY).reply(200, fixture('links-as-list'));
    host()
      .get(NODEINFO)
      .reply(200, { ...fixture('nodeinfo-whole'), software: { name: 'peertube', version: '7.3.0' } });
    expect(await visit()).toMatchObject({ verdict: 'other', software: 'peertube' });
  });

  it('a Loops server finds Loops and the facts of both documents', async () => {
    host()
      .get(ROBOTS)
      .reply(200, 'User-agent: *\nAllow: /\nDisallow: /api/\n')
      .get(CONFIG)
      .reply(200, fixture('config-klipy'));
    host().get(DISCOVERY).reply(200, fixture('links-as-list')).get(NODEINFO).reply(200, fixture('nodeinfo-loops'));
    expect(await visit()).toMatchObject({
      verdict: 'loops',
      via: 'config',
      facts: {
        gifProviderBrand: 'klipy',
        features: { gifProvider: true },
        usage: { users: 321 },
        flags: ['version-mismatch', 'registration-mismatch'],
      },
    });
  });

  it('a Loops server without federation finds Loops without a NodeInfo request', async () => {
    host()
      .get(ROBOTS)
      .reply(404)
      .get(CONFIG)
      .reply(200, { ...fixture('config-klipy'), federation: false });
    expect(await visit()).toMatchObject({ verdict: 'loops', facts: { federation: false } });
  });

  it('a Loops server whose config answers 500 at first finds Loops after a retry', async () => {
    host()
      .get(ROBOTS)
      .reply(404)
      .get(CONFIG)
      .reply(500, { message: 'Server Error' })
      .get(CONFIG)
      .reply(200, fixture('config-only-software'));
    host().get(DISCOVERY).reply(404, { message: 'Not Found.' });
    expect(await visit()).toMatchObject({ verdict: 'loops', version: null });
  });

  it('a Loops server whose rate limit is exceeded is declined and records the Retry-After of the server', async () => {
    host().get(ROBOTS).reply(404);
    host().get(CONFIG).reply(429, { message: 'Too Many Attempts.', retry_after: 1800 }, { 'retry-after': '1800' });
    expect(await visit()).toMatchObject({ verdict: 'declined', reason: 'rate-limited', retryAfterMs: 1_800_000 });
  });

  it('a host behind a challenge page is unidentified', async () => {
    host().get(ROBOTS).reply(403).get(CONFIG).reply(403, '<title>Just a moment...</title>').get(DISCOVERY).reply(403);
    expect(await visit()).toMatchObject({ verdict: 'unidentified', reason: 'challenge-page' });
  });
});
