import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { check } from '../../src/index.ts';
import { startFleetDns } from '../../src/reference/fleet/fleet-dns.ts';
import { createSecureContexts } from '../../src/reference/tls/secure-contexts.ts';
import { listen } from '../serve-http.ts';

type Answer = (request: Request) => Response | Promise<Response>;

const NAME = 'toots.example';
const NODEINFO_2_1 = '/nodeinfo/2.1';
const NODEINFO_2_0 = '/nodeinfo/2.0';
const SCHEMA_2_1 = 'http://nodeinfo.diaspora.software/ns/schema/2.1#';
const nodeInfo = {
  $schema: SCHEMA_2_1,
  version: '2.1',
  software: { name: 'fedi-notes', version: '1.2.3' },
  protocols: ['activitypub'],
  services: { inbound: [], outbound: [] },
  openRegistrations: false,
  usage: { users: { total: 3, activeMonth: 2, activeHalfyear: 2 }, localPosts: 4, localComments: 1 },
  metadata: {},
};

/** The responses of a Fedify 2.3.6 server that has a NodeInfo dispatcher and nothing else, as recorded. */
const fedifyServer: Answer = ({ url }) => {
  const { pathname, origin } = new URL(url);
  const type = `application/json; profile="${SCHEMA_2_1}"`;
  if (pathname === '/.well-known/nodeinfo') {
    const links = [{ rel: SCHEMA_2_1.replace('#', ''), href: `${origin}${NODEINFO_2_1}`, type }];
    return Response.json({ links }, { headers: { 'content-type': 'application/jrd+json', vary: 'Accept' } });
  }
  if (pathname === NODEINFO_2_1) return Response.json(nodeInfo, { headers: { 'content-type': type, vary: 'Accept' } });
  return new Response('Not Found', { status: 404 });
};

/** Adds a NodeInfo 2.0 document, as an operator would. */
function withNodeInfo2_0(inner: Answer): Answer {
  return async (request) => {
    const { pathname, origin } = new URL(request.url);
    if (pathname === '/.well-known/nodeinfo') {
      const { links } = (await (await inner(request)).json()) as { links: object[] };
      const link2_0 = { rel: 'http://nodeinfo.diaspora.software/ns/schema/2.0', href: `${origin}${NODEINFO_2_0}` };
      return Response.json({ links: [link2_0, ...links] }, { headers: { 'content-type': 'application/jrd+json' } });
    }
    if (pathname === NODEINFO_2_0) {
      const document = await (await inner(new Request(`${origin}${NODEINFO_2_1}`))).json();
      const { $schema: _, ...withoutSchema } = document as Record<string, unknown>;
      return Response.json({ ...withoutSchema, version: '2.0' });
    }
    return inner(request);
  };
}

/** Starts a TLS server on 127.0.0.1 that gives these answers, and a DNS server for its name. Both run until the test finishes. */
async function serve(answer: Answer) {
  const folder = mkdtempSync(join(tmpdir(), 'loopscout-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const contexts = createSecureContexts(10);
  writeFileSync(join(folder, 'ca.pem'), contexts.authority);
  // `plain` listens on no port: the TLS server passes its requests on to it.
  const plain = createServer(async (incoming, outgoing) => {
    const response = await answer(requestOf(incoming));
    outgoing.writeHead(response.status, Object.fromEntries(response.headers));
    outgoing.end(Buffer.from(await response.arrayBuffer()));
  });
  const server = createTlsServer({ SNICallback: (sni, done) => done(null, contexts.contextFor(sni, undefined)) });
  server.on('request', (incoming, outgoing) => plain.emit('request', incoming, outgoing));
  const listening = await listen(server);
  onTestFinished(() => listening[Symbol.asyncDispose]());
  // Undefined: the name has the address 127.0.0.1; null: it does not exist.
  const dns = await startFleetDns((name) => (name === NAME ? undefined : null), 0);
  onTestFinished(dns.close);
  return {
    domain: `${NAME}:${listening.port}`,
    options: {
      domains: { allowSuffixes: ['example'] },
      network: { allow: ['127.0.0.0/8'], dnsServers: [dns.address], caFile: join(folder, 'ca.pem') },
    },
  };
}

function requestOf({ method = 'GET', url = '/', headers }: IncomingMessage): Request {
  const headerPairs = Object.entries(headers).flatMap(([name, value]) =>
    typeof value === 'string' && !name.startsWith(':') ? [[name, value] as [string, string]] : [],
  );
  return new Request(`https://${headers.host ?? NAME}${url}`, { method, headers: headerPairs });
}

test('a stock Fedify server, which has only NodeInfo 2.1, gets a cure and the views of other clients', async () => {
  const { domain, options } = await serve(fedifyServer);
  const report = await check(domain, options);
  expect(report).toMatchObject({ verdict: 'unidentified', reason: 'no-nodeinfo-2.0-link', instance: null });
  const [first] = report.findings;
  expect(first).toMatchObject({ area: 'nodeinfo', severity: 'fail' });
  expect(first?.detail).toContain('2.1');
  expect(first?.cure).toContain('schema/2.0');
  const bestEffort = report.clients.find(({ client }) => client === 'nodeinfo-best-effort');
  expect(bestEffort).toMatchObject({ sees: 'other', software: 'fedi-notes', version: '1.2.3' });
});

test('a Fedify server with NodeInfo 2.0 is reported as other software, which needs no endpoints of Loops', async () => {
  const { domain, options } = await serve(withNodeInfo2_0(fedifyServer));
  const report = await check(domain, options);
  expect(report).toMatchObject({ verdict: 'other', software: 'fedi-notes', version: '1.2.3', instance: null });
  expect(report.findings.filter(({ area, severity }) => area === 'config' && severity === 'fail')).toEqual([]);
  expect(report.findings.filter(({ area, severity }) => area === 'oauth' && severity !== 'info')).toEqual([]);
  expect(report.clients.map(({ client, sees }) => [client, sees])).toEqual(
    expect.arrayContaining([
      ['loopscout', 'other'],
      ['nodeinfo-strict', 'other'],
      ['nodeinfo-best-effort', 'other'],
      ['official-app', 'nothing'],
    ]),
  );
});
