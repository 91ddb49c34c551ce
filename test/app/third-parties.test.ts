import { expect, test } from 'vitest';
import { createApp } from '../../src/app/app.ts';
import { createLogger } from '../../src/logger.ts';
import { Service } from '../../src/service/service.ts';
import { parseDomains } from '../../src/settings/parse-domains.ts';
import { createTestNetwork } from '../create-test-network.ts';

const logger = createLogger({ level: 'silent', stream: process.stderr });
/** A postponed visit is due again after an hour, plus up to 10 %. */
const AFTER_POSTPONEMENT_MS = 67 * 60_000;

/** Attackers, each with a NodeInfo link to a host of the victim. All hosts of the victim share one IP address. */
async function createAttack(pairs: readonly (readonly [attacker: string, victim: string])[]) {
  const testNetwork = await createTestNetwork();
  const requests: string[] = [];
  const attackers: string[] = [];
  for (const [index, [attacker, victim]] of pairs.entries()) {
    const host = await testNetwork.listen(attacker, `127.0.20.${index + 1}`, async (path) => {
      const href = `https://${victim}:${host.split(':')[1]}/nodeinfo/2.0`;
      return path === '/.well-known/nodeinfo'
        ? { links: [{ rel: 'http://nodeinfo.diaspora.software/ns/schema/2.0', href }] }
        : null;
    });
    attackers.push(host);
  }
  const answer = async (path: string) => {
    requests.push(path);
    return null;
  };
  for (const [index, [, victim]] of pairs.entries())
    if (index === 0) await testNetwork.listen(victim, '127.0.21.1', answer);
    else testNetwork.addName(victim, '127.0.21.1');
  const settings = testNetwork.settings({ perAddress: 4, perRegistrableDomain: 8 });
  return { testNetwork, settings, requests, domains: parseDomains(attackers, settings) };
}

/** Pairs of an attacker, under one of two domains, and a victim. */
const pairsWith = (count: number, victim: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => [`lead${index}.attacker${index % 2}.example`, victim(index)] as const);

test('visits that lead to twelve names under one domain contact ten of them per hour', async () => {
  const { settings, requests, domains } = await createAttack(pairsWith(12, (index) => `v${index}.victim.example`));
  const time = { ms: 0 };
  await using app = await createApp(settings, logger, { clock: () => performance.now() + time.ms });
  const signal = new AbortController().signal;
  await app.crawl({ only: domains, signal, onCompleted: () => undefined });
  // Each contact takes two requests: robots.txt and the NodeInfo document.
  expect(requests).toHaveLength(20);
  time.ms += 3_601_000;
  await app.crawl({ only: domains, signal, onCompleted: () => undefined });
  expect(requests).toHaveLength(40);
});

test('twelve servers that share a NodeInfo host are all visited within hours, without a failure', async () => {
  const testNetwork = await createTestNetwork();
  const shared = await testNetwork.listen('shared.example', '127.0.21.1', async (path) =>
    path === '/2.0' ? { version: '2.0', software: { name: 'loops', version: '1' } } : null,
  );
  const href = `https://${shared}/2.0`;
  const servers: string[] = [];
  for (let index = 0; index < 12; index += 1)
    servers.push(
      await testNetwork.listen(`server${index}.site${index}.example`, `127.0.20.${index + 1}`, async (path) =>
        path === '/.well-known/nodeinfo'
          ? { links: [{ rel: 'http://nodeinfo.diaspora.software/ns/schema/2.0', href }] }
          : null,
      ),
    );
  const settings = testNetwork.settings({});
  const domains = parseDomains(servers, settings);
  const time = { ms: 0 };
  await using app = await createApp(settings, logger, {
    now: () => Date.now() + time.ms,
    clock: () => performance.now() + time.ms,
  });
  app.store.domains.enter(domains, Date.now());
  const reasons: string[][] = [];
  for (let pass = 0; pass < 2; pass += 1) {
    const visits: string[] = [];
    const onCompleted = ({ reason }: { reason: string }) => {
      if (reason === 'nodeinfo-software') visits.push(reason);
    };
    await app.crawl({ signal: new AbortController().signal, onCompleted });
    reasons.push(visits);
    time.ms += AFTER_POSTPONEMENT_MS;
  }
  expect(reasons.map(({ length }) => length)).toEqual([10, 2]);
  using reader = app.store.reader();
  expect(domains.map((domain) => reader.domains.find(domain)?.failures)).toEqual(Array(12).fill(0));
});

test('visits that lead to 32 domains at one address contact thirty of them per hour, and domains at that address are still visited themselves', async () => {
  const { testNetwork, settings, requests, domains } = await createAttack(
    pairsWith(32, (index) => `victim${index}.example`),
  );
  await using app = await createApp(settings, logger);
  const crawl = (only: typeof domains) =>
    app.crawl({ only, signal: new AbortController().signal, onCompleted: () => undefined });
  await crawl(domains);
  expect(requests).toHaveLength(60);
  const port = domains[0]?.split(':')[1];
  const customers = Array.from({ length: 5 }, (_, index) => `customer${index}.example`);
  for (const name of customers) testNetwork.addName(name, '127.0.21.1');
  await crawl(
    parseDomains(
      customers.map((name) => `${name}:${port}`),
      settings,
    ),
  );
  // Each of the five visits takes three requests: robots.txt, config and the discovery of NodeInfo.
  expect(requests).toHaveLength(75);
});

test('submissions and scheduled visits share the hourly limit for the hosts of a third party', async () => {
  const { settings, requests, domains } = await createAttack(pairsWith(12, (index) => `v${index}.victim.example`));
  await using app = await createApp(settings, logger);
  await using service = new Service(app, { now: Date.now, clock: () => performance.now() });
  const answers = await Promise.all(domains.slice(0, 8).map((domain) => service.submissions.submit(domain)));
  expect(answers.map(({ kind }) => kind)).toEqual(Array(8).fill('visited'));
  expect(requests).toHaveLength(16);
  await app.crawl({ only: domains.slice(8), signal: new AbortController().signal, onCompleted: () => undefined });
  expect(requests).toHaveLength(20);
});
