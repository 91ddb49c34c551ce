import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { createFleet } from '../../src/reference/index.ts';
import { runCommand } from '../commands/run-command.ts';
import { createFleetHome } from '../process/fleet-home.ts';
import { startService } from '../process/start-service.ts';

const frequentJobs = { jobs: { crawl: '* * * * * *', export: '*/3 * * * * *' } };

function visitsPerDomain(path: string): { domain: string; visits: number }[] {
  const database = new Database(path, { readonly: true });
  try {
    return database
      .prepare('select domain, count(*) as visits from visits join domains on domains.id = domain_id group by domain')
      .all() as { domain: string; visits: number }[];
  } finally {
    database.close();
  }
}

test('during a run, explain, add, export, backup, health and forget work, a second run and a crawl are refused with one sentence, and no host is visited twice', async () => {
  await using fleet = await createFleet({ hosts: 60, log: false, mix: { loops: 1, mastodon: 1 } });
  using home = createFleetHome(fleet, frequentJobs);
  await using service = await startService(['--config', home.settingsFile]);
  await service.waitForLog(({ msg }) => msg === 'visit');
  const command = (...args: string[]) => runCommand([...args, '--config', home.settingsFile]);
  const [second, crawl] = await Promise.all([command('run', '--set', 'serve.port=0'), command('crawl')]);
  for (const { code, stderr } of [second, crawl]) {
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^loopscout: run \(process \d+, since .* UTC\) is crawling with .*test\.sqlite.*loopscout add DOMAIN/,
    );
  }
  const loops = fleet.hosts.filter(({ kind }) => kind === 'loops').map(({ domain }) => domain);
  const [kept = '', forgotten = ''] = loops;
  const port = new URL(service.endpoints.url).port;

  const [explained, exported, copied, healthy, added] = await Promise.all([
    command('explain', kept, '--json'),
    command('export'),
    command('backup', `${home.database}.copy`),
    command('health', '--set', `serve.port=${port}`),
    command('add', kept, '--json'),
  ]);
  for (const { code, stderr } of [explained, exported, copied, healthy, added]) expect(code, stderr).toBe(0);
  expect(JSON.parse(explained.stdout)).toMatchObject({ domain: kept });
  expect(healthy.stdout).toBe('ok\n');
  expect(visitsPerDomain(`${home.database}.copy`).length).toBeGreaterThan(0);

  await expect.poll(() => visitsPerDomain(home.database).length, { timeout: 120_000 }).toBe(60);
  // All but the one that was added again.
  expect(visitsPerDomain(home.database).filter(({ domain, visits }) => visits !== 1 && domain !== kept)).toEqual([]);
  const forget = await command('forget', forgotten);
  expect(forget.code, forget.stderr).toBe(0);
  expect((await service.end('SIGTERM')).code).toBe(0);
  expect(visitsPerDomain(home.database).map(({ domain }) => domain)).not.toContain(forgotten);
  expect(service.log.filter(({ level }) => level >= 50)).toEqual([]);
  expect((await command('health', '--set', `serve.port=${port}`)).code).toBe(1);
});

test('while the network is down the service waits and records no verdict, and continues by itself once the network is back', async () => {
  await using fleet = await createFleet({ hosts: 10, log: false, mix: { loops: 1 } });
  const { dnsServer } = fleet;
  const port = await freePort();
  using home = createFleetHome(fleet, {
    ...frequentJobs,
    network: { dnsServers: [`127.0.0.1:${port}`], dnsTimeoutMs: 300 },
  });
  await using service = await startService(['--config', home.settingsFile]);
  await service.waitForLog(({ msg }) => msg.startsWith('offline: '));
  expect(await (await fetch(service.endpoints.health)).json()).toMatchObject({
    crawl: { phase: 'offline', offlineSince: expect.any(String) },
    backlog: { new: { due: 10 } },
  });
  expect(visitsPerDomain(home.database)).toEqual([]);

  await using _relay = await relayDns(port, dnsServer);
  await service.waitForLog(({ msg }) => msg === 'online again', 40_000);
  await expect
    .poll(() => visitsPerDomain(home.database).map(({ visits }) => visits), { timeout: 40_000 })
    .toEqual(Array(10).fill(1));
  expect((await service.end('SIGTERM')).code).toBe(0);
});

async function freePort(): Promise<number> {
  const socket = createSocket('udp4').bind(0, '127.0.0.1');
  await once(socket, 'listening');
  const { port } = socket.address();
  socket.close();
  return port;
}

/** Relays queries to a DNS server, and its responses back. */
async function relayDns(port: number, to: string): Promise<AsyncDisposable> {
  const { hostname, port: toPort } = new URL(`udp://${to}`);
  const front = createSocket('udp4').bind(port, '127.0.0.1');
  await once(front, 'listening');
  front.on('message', (query, client) => {
    const back = createSocket('udp4');
    back.once('message', (answer) => {
      front.send(answer, client.port, client.address);
      back.close();
    });
    back.send(query, Number(toPort), hostname);
  });
  return {
    [Symbol.asyncDispose]: async () => {
      front.close();
      await once(front, 'close');
    },
  };
}
