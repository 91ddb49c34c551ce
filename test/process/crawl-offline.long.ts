import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { createServer } from 'dns2';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createFleet } from '../../src/reference/index.ts';
import { runCommand } from '../commands/run-command.ts';
import { createFleetHome } from './fleet-home.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'loopscout-test-'));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

const names = Array.from({ length: 200 }, (_, i) => `host-${i}.registered-${i}.org`);

function writeSettings(dnsServer: string): string[] {
  writeFileSync(join(folder, 'seeds.txt'), names.join('\n'));
  const settings = {
    database: 'db.sqlite',
    sources: [{ type: 'file', path: 'seeds.txt' }],
    network: { dnsServers: [dnsServer] },
    export: { dir: 'export' },
  };
  writeFileSync(join(folder, 'settings.json'), JSON.stringify(settings));
  return ['crawl', '--json', '--config', join(folder, 'settings.json')];
}

/** Response codes (RFC 1035 section 4.1.1). */
const [servfail, nxdomain] = [2, 3];

/**
 * Starts a DNS server that answers with this code. If the code is NXDOMAIN, the root and the top-level domains exist nevertheless,
 * unless `deniesRoot`.
 */
async function startServer(code = nxdomain, { deniesRoot = false } = {}) {
  const server = createServer({
    udp: true,
    handle: (request, send) => {
      const isRootOrTopLevel = request.questions[0]?.name.includes('.') !== true;
      const rcode = code === nxdomain && isRootOrTopLevel && !deniesRoot ? 0 : code;
      const response = { ...request, header: { ...request.header, qr: 1 as const, rcode }, answers: [] };
      send(Object.assign(Object.create(Object.getPrototypeOf(request)), response));
    },
  });
  await server.listen({ udp: { port: 0, address: '127.0.0.1' } });
  const { port } = server.addresses().udp as AddressInfo;
  return { address: `127.0.0.1:${port}`, close: () => server.close() };
}

describe('a crawl without a DNS server', () => {
  test('exits with 1, reports the end "offline" and records no verdict when no server listens', async () => {
    await expectOffline('127.0.0.1:1');
  });

  test('exits with 1 when the server never answers', async () => {
    const silent = createSocket('udp4');
    silent.bind(0, '127.0.0.1');
    await once(silent, 'listening');
    try {
      await expectOffline(`127.0.0.1:${silent.address().port}`, ['--set', 'network.dnsTimeoutMs=700']);
    } finally {
      silent.close();
    }
  });

  test('exits with 1 when the server denies that any name exists, even the root', async () => {
    const dns = await startServer(nxdomain, { deniesRoot: true });
    try {
      await expectOffline(dns.address);
    } finally {
      await dns.close();
    }
  });

  async function expectOffline(dnsServer: string, flags: string[] = []): Promise<void> {
    const { code, stdout } = await runCommand([...writeSettings(dnsServer), ...flags]);
    expect(code).toBe(1);
    const report = JSON.parse(stdout);
    expect(report).toMatchObject({ end: 'offline', visited: 0, byVerdict: [], export: null });
    expect(report.domains).toMatchObject({ known: names.length, due: names.length });
  }
});

test('NXDOMAIN of a server that knows the root is an answer: every domain gets its verdict, and a second pass visits nothing', async () => {
  const dns = await startServer();
  try {
    const command = writeSettings(dns.address);
    const first = await runCommand(command);
    expect(first.code, first.stderr).toBe(0);
    expect(JSON.parse(first.stdout)).toMatchObject({
      end: 'done',
      visited: names.length,
      byReason: [{ name: 'unreachable: dns-nxdomain', count: names.length }],
    });
    const lines = readFileSync(join(folder, 'export/domains.ndjson'), 'utf8').trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line).verdict)).toEqual(names.map(() => 'unreachable'));

    const second = await runCommand(command);
    expect(JSON.parse(second.stdout)).toMatchObject({ end: 'done', visited: 0, domains: { due: 0 } });
  } finally {
    await dns.close();
  }
});

test('an offline crawl leaves the exported files unchanged', async () => {
  const dns = await startServer();
  const command = writeSettings(dns.address);
  await runCommand(command);
  await dns.close();
  const before = readFileSync(join(folder, 'export/manifest.json'), 'utf8');
  const { code, stdout } = await runCommand([...command, names[0] ?? '']);
  expect(code).toBe(1);
  expect(JSON.parse(stdout)).toMatchObject({ end: 'offline', visited: 0, domains: { due: 1 } });
  expect(readFileSync(join(folder, 'export/manifest.json'), 'utf8')).toBe(before);
});

test('a crawl that is offline throughout keeps every state and the last facts, and reports that it was offline', async () => {
  await using fleet = await createFleet({ hosts: 12, mix: { loops: 1, mastodon: 1, 'http-500': 1 } });
  using home = createFleetHome(fleet);
  expect((await runCommand(['crawl', '--config', home.settingsFile])).code).toBe(0);
  const before = readContent(home.database);
  expect(before.facts.length).toBeGreaterThan(0);

  const dns = await startServer(servfail);
  const domains = fleet.hosts.map(({ domain }) => domain);
  for (const server of ['127.0.0.1:1', dns.address]) {
    const flags = ['--set', `network.dnsServers=["${server}"]`];
    const { code, stdout } = await runCommand(['crawl', '--config', home.settingsFile, ...flags, ...domains]);
    expect(code).toBe(1);
    expect(stdout).toContain('Offline: ');
    expect(readContent(home.database)).toEqual(before);
  }
  await dns.close();
});

/** Database content without due times, which a crawl of named domains changes. */
function readContent(file: string) {
  const database = new Database(file, { readonly: true });
  try {
    return {
      domains: database
        .prepare(
          'select domain, state, verdict, reason, software, version, last_visit, last_seen, failures from domains',
        )
        .all(),
      visits: database.prepare('select count(*) as count from visits').get(),
      facts: database.prepare('select * from facts').all(),
    };
  } finally {
    database.close();
  }
}
