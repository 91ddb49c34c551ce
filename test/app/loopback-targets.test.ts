import { expect, it, onTestFinished } from 'vitest';
import { createApp } from '../../src/app/app.ts';
import { check, DomainsError, identify } from '../../src/index.ts';
import { createLogger } from '../../src/logger.ts';
import { createReferenceServer } from '../../src/reference/index.ts';
import { Service } from '../../src/service/service.ts';
import { runInline } from '../../src/service/tasks/tasks.ts';
import { listen } from '../../src/service/web-server.ts';
import { parseDomains } from '../../src/settings/parse-domains.ts';
import { createTestNetwork } from '../create-test-network.ts';

const logger = createLogger({ level: 'silent', stream: process.stderr });

/** A service with the default address guard, and a local Loops server that counts its requests. */
async function startService() {
  const server = await createReferenceServer({ profile: 'live' });
  onTestFinished(() => server.close());
  const requests: (string | undefined)[] = [];
  server.app.server.prependListener('request', ({ url }: { url?: string }) => requests.push(url));
  const testNetwork = await createTestNetwork();
  testNetwork.addName('inside.example', '127.0.0.1');
  const baseSettings = testNetwork.settings(
    {},
    {},
    { serve: { port: 0, submissions: true, submissionsPerHour: 1_000, ratePerMinute: 0 } },
  );
  const settings = { ...baseSettings, network: { ...baseSettings.network, allow: [] } };
  const app = await createApp(settings, logger, { background: runInline });
  const service = new Service(app, { now: Date.now, clock: () => performance.now() });
  const health = () => ({ status: 'ok' as const, problems: [] });
  const http = await listen({ settings, logger, health, submit: (domain) => service.submissions.submit(domain) });
  onTestFinished(async () => {
    await http[Symbol.asyncDispose]();
    await service[Symbol.asyncDispose]();
    await app[Symbol.asyncDispose]();
  });
  const { port } = server;
  const hosts = ['127.0.0.1', '127.8.9.10', 'localhost', '[::1]', '0x7f.1', '2130706433', '[::ffff:127.0.0.1]'];
  const targets = hosts.flatMap((host) => [`${host}:${port}`, `http://${host}:${port}`, host, `http://${host}/`]);
  return { settings, app, http, requests, targets, port };
}

it('submissions and the API refuse a server on this machine, and send it nothing', async () => {
  const { http, requests, targets } = await startService();
  for (const domain of targets) {
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify({ domain });
    const submitted = await fetch(`${http.url}/api/v1/submissions`, { method: 'POST', headers, body });
    expect([domain, submitted.status]).toEqual([domain, 400]);
    for (const path of ['domains', 'instances']) {
      const { status } = await fetch(`${http.url}/api/v1/${path}/${encodeURIComponent(domain)}`);
      expect([path, domain, status]).toEqual([path, domain, 400]);
    }
  }
  expect(requests).toEqual([]);
});

it('a name that resolves to this machine is declined, whether it is submitted, crawled or checked', async () => {
  const { settings, app, http, requests, port } = await startService();
  const domain = `inside.example:${port}`;
  const submitted = await fetch(`${http.url}/api/v1/submissions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ domain }),
  });
  expect(await submitted.json()).toMatchObject({ visit: 'done', listed: false });
  const only = parseDomains([domain], settings);
  const reasons: string[] = [];
  const onCompleted = ({ reason }: { reason: string }) => void reasons.push(reason);
  await app.crawl({ only, signal: new AbortController().signal, onCompleted });
  expect(reasons).toEqual(['forbidden-address']);
  const { domains, network } = settings;
  const options = { domains, network: { dnsServers: network.dnsServers } };
  expect(await check(domain, options)).toMatchObject({
    local: false,
    verdict: 'declined',
    reason: 'forbidden-address',
  });
  expect(requests).toEqual([]);
});

it('check and identify of the library refuse a server on this machine', async () => {
  const { requests, targets } = await startService();
  for (const target of targets) {
    await expect(check(target), target).rejects.toThrow(DomainsError);
    await expect(identify(target), target).rejects.toThrow(DomainsError);
  }
  expect(requests).toEqual([]);
});
