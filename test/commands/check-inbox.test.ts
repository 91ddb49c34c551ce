import { writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createApp } from '../../src/app/app.ts';
import { check, identify } from '../../src/index.ts';
import { createLogger } from '../../src/logger.ts';
import { createReferenceServer } from '../../src/reference/index.ts';
import { Service } from '../../src/service/service.ts';
import { runInline } from '../../src/service/tasks/tasks.ts';
import { listen } from '../../src/service/web-server.ts';
import { parseDomains } from '../../src/settings/parse-domains.ts';
import { createTestNetwork } from '../create-test-network.ts';
import { runCommand } from './run-command.ts';

const logger = createLogger({ level: 'silent', stream: process.stderr });

/**
 * Starts a Loops server. `takeCounts` returns what the server received since its last call: the numbers of GET and other
 * requests, the requests to an inbox, and the announcements of an upload.
 */
async function createCountedServer() {
  const testNetwork = await createTestNetwork();
  const received: string[] = [];
  const server = await createReferenceServer({ profile: 'live', url: 'https://loops.example' });
  onTestFinished(() => server.close());
  const serve = async (_path: string, request: IncomingMessage, response: ServerResponse) => {
    received.push(`${request.method} ${request.url}`);
    server.app.server.emit('request', request, response);
    await new Promise((resolve) => response.once('close', resolve));
    return null;
  };
  const domain = await testNetwork.listen('loops.example', '127.0.25.1', serve);
  const settings = testNetwork.settings({}, {}, { serve: { port: 0, submissions: true, ratePerMinute: 0 } });
  const takeCounts = () => {
    const requests = received.splice(0);
    const ofMethod = (method: string) => requests.filter((request) => request.startsWith(`${method} `)).length;
    return {
      gets: ofMethod('GET'),
      others: requests.length - ofMethod('GET'),
      toInbox: requests.filter((request) => request.includes('/ap/inbox')),
      uploads: requests.filter((request) => request === 'POST /api/v1/studio/upload').length,
    };
  };
  return { testNetwork, settings, domain, takeCounts };
}

test('the command check posts once to the shared inbox of a server and announces one upload; check and identify of the library never do', async () => {
  const { testNetwork, settings, domain, takeCounts } = await createCountedServer();
  const { domains, network } = settings;
  const options = {
    domains,
    network: { allow: network.allow, dnsServers: network.dnsServers, caFile: network.caFile },
  };
  const file = join(testNetwork.folder, 'settings.json');
  writeFileSync(file, JSON.stringify({ ...options, contact: 'https://operator.example' }));

  await runCommand(['check', domain, '--config', file], testNetwork.folder);
  const inboxPost = ['POST /ap/inbox'];
  // A CORS preflight, and posts to /oauth/token, /oauth/revoke, /api/v1/apps, the inbox and the upload.
  expect(takeCounts()).toMatchObject({ others: 6, toInbox: inboxPost, uploads: 1 });
  await runCommand(['check', domain, '--only', 'federation', '--config', file], testNetwork.folder);
  expect(takeCounts()).toMatchObject({ others: 1, toInbox: inboxPost });
  for (const selection of [
    ['--skip', 'federation-inbox'],
    ['--skip', 'federation'],
    ['--only', 'http,api'],
    ['--only', 'federation-actor'],
  ]) {
    await runCommand(['check', domain, ...selection, '--config', file], testNetwork.folder);
    expect(takeCounts(), selection.join(' ')).toMatchObject({
      gets: expect.toSatisfy((gets) => gets > 0),
      toInbox: [],
    });
  }
  await runCommand(['check', domain, '--only', 'federation-inbox', '--config', file], testNetwork.folder);
  expect(takeCounts()).toMatchObject({ toInbox: inboxPost });

  await check(domain, options);
  expect(takeCounts()).toMatchObject({ others: 4, toInbox: [], uploads: 0 });
  await identify(domain, options);
  expect(takeCounts()).toMatchObject({ gets: expect.toSatisfy((gets) => gets > 0), others: 0 });
});

test('a crawl and a submission send only GET requests to a server, and a request to our API sends it none', async () => {
  const { settings, domain, takeCounts } = await createCountedServer();
  await using app = await createApp(settings, logger, { background: runInline });
  await using service = new Service(app, { now: Date.now, clock: () => performance.now() });
  const health = () => ({ status: 'ok' as const, problems: [] });
  await using http = await listen({
    settings,
    logger,
    health,
    submit: (submitted) => service.submissions.submit(submitted),
  });
  const submitted = await fetch(`${http.url}/api/v1/submissions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ domain }),
  });
  expect(await submitted.json()).toMatchObject({ visit: 'done', listed: true });
  const visited = takeCounts();
  expect(visited).toEqual({ gets: expect.any(Number), others: 0, toInbox: [], uploads: 0 });
  expect(visited.gets).toBeGreaterThan(2);

  const only = parseDomains([domain], settings);
  await app.crawl({ only, signal: new AbortController().signal, onCompleted: () => undefined });
  expect(takeCounts()).toMatchObject({ gets: expect.toSatisfy((gets) => gets > 2), others: 0 });

  for (const path of ['/about', '/health', '/api', `/api/v1/instances/${domain}`, `/api/v1/domains/${domain}`]) {
    const { status } = await fetch(http.url + path);
    expect([path, status < 500]).toEqual([path, true]);
  }
  expect(takeCounts()).toEqual({ gets: 0, others: 0, toInbox: [], uploads: 0 });
});
