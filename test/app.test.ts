import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createServer as createDnsServer, Packet } from 'dns2';
import { expect, test } from 'vitest';
import { createApp, createLogger, parseDomains, type Visit } from '../src/app.ts';
import { createSecureContexts } from '../src/reference/tls/secure-contexts.ts';
import { loadSettings } from '../src/settings.ts';

test('perAddress holds for a host that many others lead to, each of them on an address of its own', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'loopscout-test-'));
  const contexts = createSecureContexts(100);
  writeFileSync(join(folder, 'ca.pem'), contexts.authority);
  const addresses = new Map<string, string>();
  const servers: Server[] = [];
  let port = 0;
  const guests = { now: 0, most: 0, all: 0 };

  async function listen(
    name: string,
    address: string,
    answer: (path: string) => Promise<object | null>,
  ): Promise<string> {
    const server = createServer({ SNICallback: (sni, done) => done(null, contexts.contextFor(sni, undefined)) });
    server.on('request', async (request, response) => {
      const body = await answer(request.url ?? '');
      response.statusCode = body === null ? 404 : 200;
      response.end(JSON.stringify(body));
    });
    await new Promise<void>((resolve) => server.listen(port, address, resolve));
    ({ port } = server.address() as AddressInfo);
    servers.push(server);
    addresses.set(name, address);
    return `${name}:${port}`;
  }

  const victim = await listen('victim.example', '127.0.1.1', async (path) => {
    if (path !== '/nodeinfo/2.0') return null;
    guests.now++;
    guests.all++;
    guests.most = Math.max(guests.most, guests.now);
    await delay(30);
    guests.now--;
    return { software: { name: 'shared', version: '1' } };
  });
  const rel = 'http://nodeinfo.diaspora.software/ns/schema/2.0';
  const links = { links: [{ rel, href: `https://${victim}/nodeinfo/2.0` }] };
  const hosts: string[] = [];
  for (let i = 0; i < 24; i++) {
    const served = async (path: string) => (path === '/.well-known/nodeinfo' ? links : null);
    hosts.push(await listen(`host-${i}.example`, `127.0.2.${i + 1}`, served));
  }
  const dns = createDnsServer({
    udp: true,
    handle: (request, send) => {
      const response = Packet.createResponseFromRequest(request);
      const [question] = request.questions;
      const address = addresses.get(question?.name ?? '');
      if (question?.type === Packet.TYPE.A && address !== undefined) {
        response.answers.push(Packet.createResourceFromQuestion(question, { ttl: 60, address }));
      }
      send(response);
    },
  });
  await dns.listen({ udp: { port: 0, address: '127.0.0.1' } });

  try {
    const settings = loadSettings({
      file: null,
      env: {},
      cwd: folder,
      flags: {
        database: 'test.sqlite',
        domains: { allowSuffixes: ['example'] },
        queue: { visitsPerSecond: 0, perAddress: 3 },
        network: {
          allow: ['127.0.0.0/8'],
          dnsServers: [`127.0.0.1:${(dns.addresses().udp as AddressInfo).port}`],
          caFile: 'ca.pem',
        },
      },
    });
    const visits: Visit[] = [];
    {
      await using app = await createApp(settings, createLogger({ level: 'silent', stream: process.stderr }));
      const only = parseDomains(hosts, settings);
      const { signal } = new AbortController();
      await app.crawl({ only, signal, onCompleted: (visit) => visits.push(visit) });
    }
    expect(visits.map(({ verdict, software }) => `${verdict} ${software}`)).toEqual(hosts.map(() => 'other shared'));
    expect(guests).toEqual({ now: 0, most: 3, all: hosts.length });
  } finally {
    await dns.close();
    for (const server of servers) server.close().closeAllConnections();
    rmSync(folder, { recursive: true });
  }
});
