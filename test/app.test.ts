import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createServer as createDnsServer, Packet } from 'dns2';
import { expect, onTestFinished, test } from 'vitest';
import { createApp, createLogger, parseDomains, type Visit } from '../src/app.ts';
import { createSecureContexts } from '../src/reference/tls/secure-contexts.ts';
import { loadSettings } from '../src/settings.ts';

const logger = createLogger({ level: 'silent', stream: process.stderr });

/** A made-up network of TLS servers, all on one port, with a DNS server that knows them; gone when the test is over. */
async function createWorld() {
  const folder = mkdtempSync(join(tmpdir(), 'loopscout-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const contexts = createSecureContexts(100);
  writeFileSync(join(folder, 'ca.pem'), contexts.authority);
  const addresses = new Map<string, string>();
  let port = 0;

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
  onTestFinished(() => dns.close());

  return {
    /** Gives the domain of a new server, which answers JSON by path, or 404. */
    async listen(name: string, address: string, answer: (path: string) => Promise<object | null>): Promise<string> {
      const server = createServer({ SNICallback: (sni, done) => done(null, contexts.contextFor(sni, undefined)) });
      server.on('request', async (request, response) => {
        const body = await answer(request.url ?? '');
        response.statusCode = body === null ? 404 : 200;
        response.end(JSON.stringify(body));
      });
      await new Promise<void>((resolve) => server.listen(port, address, resolve));
      onTestFinished(() => server.close().closeAllConnections());
      ({ port } = server.address() as AddressInfo);
      addresses.set(name, address);
      return `${name}:${port}`;
    },

    settings: (queue: object) =>
      loadSettings({
        file: null,
        env: {},
        cwd: folder,
        flags: {
          database: 'test.sqlite',
          domains: { allowSuffixes: ['example'] },
          queue: { visitsPerSecond: 0, ...queue },
          network: {
            allow: ['127.0.0.0/8'],
            dnsServers: [`127.0.0.1:${(dns.addresses().udp as AddressInfo).port}`],
            caFile: 'ca.pem',
          },
        },
      }),
  };
}

test('perAddress holds for a host that many others lead to, each of them on an address of its own', async () => {
  const { listen, settings } = await createWorld();
  const guests = { now: 0, most: 0, all: 0 };
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

  const visits: Visit[] = [];
  {
    await using app = await createApp(settings({ perAddress: 3 }), logger);
    const only = parseDomains(hosts, app.settings);
    const { signal } = new AbortController();
    await app.crawl({ only, signal, onCompleted: (visit) => visits.push(visit) });
  }
  expect(visits.map(({ verdict, software }) => `${verdict} ${software}`)).toEqual(hosts.map(() => 'other shared'));
  expect(guests).toEqual({ now: 0, most: 3, all: hosts.length });
});

test('robots.txt is kept for a day, over the end of the program, but not for a domain that is named', async () => {
  const { listen, settings } = await createWorld();
  const asked: string[] = [];
  const host = await listen('kept.example', '127.0.3.1', async (path) => {
    asked.push(path);
    return path === '/api/v1/config' ? { app: { software: 'loops' }, federation: false } : null;
  });
  const start = Date.now();
  const { signal } = new AbortController();

  async function pass(hoursLater: number, isNamed: boolean): Promise<string[]> {
    await using app = await createApp(settings({}), logger, { now: () => start + hoursLater * 3_600_000 });
    const domains = parseDomains([host], app.settings);
    app.store.enter(domains, start);
    await app.crawl({ only: isNamed ? domains : undefined, signal, onCompleted: () => undefined });
    return asked.splice(0);
  }
  expect(await pass(0, false)).toEqual(['/robots.txt', '/api/v1/config']);
  expect(await pass(8, false)).toEqual(['/api/v1/config']);
  expect(await pass(16, true)).toEqual(['/robots.txt', '/api/v1/config']);
  expect(await pass(48, false)).toEqual(['/robots.txt', '/api/v1/config']);
});
