import { createServer, type RequestListener } from 'node:http';
import { networkInterfaces } from 'node:os';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it, onTestFinished } from 'vitest';
import { Report } from '../../src/check/report.ts';
import { createReferenceServer, type ReferenceServerOptions } from '../../src/reference/index.ts';
import { REPORT_HEAD, schemaFile } from '../schema-file.ts';
import { listen } from '../serve-http.ts';
import { runCommand } from './run-command.ts';

async function startReference(options: ReferenceServerOptions = {}) {
  const server = await createReferenceServer(options);
  onTestFinished(() => server.close());
  return server;
}

/** Starts a plain HTTP server on loopback. `requests` lists the method and path of every request that reaches it. */
async function startPlainServer(
  answer: RequestListener,
  { host = '127.0.0.1', port = 0 } = {},
): Promise<{ origin: string; requests: string[] }> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    answer(request, response);
  });
  const listening = await listen(server, port, host);
  onTestFinished(() => listening[Symbol.asyncDispose]());
  return { origin: `http://${host}:${listening.port}`, requests };
}

async function checkLocal(url: string): Promise<{ code: number; report: Report }> {
  const { code, stdout, stderr } = await runCommand(['check', url, '--json'], import.meta.dirname);
  expect(stderr).toBe('');
  return { code, report: JSON.parse(stdout) as Report };
}

const failedRules = ({ findings }: Report) =>
  findings.filter(({ severity }) => severity === 'fail').map(({ id }) => id);
const hasIpv6 = Object.values(networkInterfaces()).some((each) => each?.some(({ address }) => address === '::1'));

describe('check of a local server', () => {
  it.for(['spec', 'live'] as const)('finds no fail on a reference server in the profile %s', async (profile) => {
    const server = await startReference({ profile });
    for (const host of ['127.0.0.1', 'localhost']) {
      server.state.url = `http://${host}:${server.port}`;
      const { code, report } = await checkLocal(`http://${host}:${server.port}`);
      expect([code, failedRules(report)]).toEqual([0, []]);
      expect(report).toMatchObject({ domain: `${host}:${server.port}`, local: true, verdict: 'loops', clients: [] });
      // Most rules apply to a local server.
      expect(report.counts.pass).toBeGreaterThan(60);
    }
  });

  it.runIf(hasIpv6)('works over IPv6', async () => {
    const server = await startReference({ host: '::1', profile: 'live' });
    const { code, report } = await checkLocal(`http://[::1]:${server.port}`);
    expect([code, failedRules(report)]).toEqual([0, []]);
    expect(report.domain).toBe(`[::1]:${server.port}`);
  });

  it('applies no rule about DNS, TLS, https or the public name, and says so', async () => {
    const server = await startReference({ profile: 'live' });
    const { report } = await checkLocal(server.url);
    const ids = report.findings.map(({ id }) => id);
    expect(ids.filter((id) => /^(?:dns|tls)-|^http-(?:redirect|hsts|www|http2)$/.test(id))).toEqual([]);
    expect(ids).toEqual(expect.arrayContaining(['http-home', 'config-url', 'nodeinfo-href', 'federation-inbox']));
    const validate = new Ajv2020({ strict: true, formats: { 'date-time': true } }).compile(
      JSON.parse(schemaFile(Report, REPORT_HEAD)),
    );
    expect([validate(report), validate.errors]).toEqual([true, null]);
    const { stdout } = await runCommand(['check', server.url], import.meta.dirname);
    const text = stdout.replace(/\s+/g, ' ');
    expect(text).toContain(`${server.url}, a server on this machine, runs Loops`);
    expect(text).toContain('DNS, TLS and reachability from outside are not judged');
    expect(text).toContain('A directory would show');
  });

  it('accepts the public name that the server will have', async () => {
    const server = await startReference({ profile: 'live', config: { app: { url: 'https://loops.example' } } });
    const { code, report } = await checkLocal(server.url);
    expect([code, failedRules(report)]).toEqual([0, []]);
    expect(report.findings.find(({ id }) => id === 'config-url')).toMatchObject({ severity: 'info' });
  });

  it('finds the faults of the server', async () => {
    const server = await startReference({ profile: 'live', config: { app: { url: '127.0.0.1' } } });
    server.state.faults = [{ route: '/ap/inbox', fault: 'server-error' }];
    Object.assign(server.state.config, { registration: 'yes' });
    const { code, report } = await checkLocal(server.url);
    expect([code, failedRules(report)]).toEqual([
      1,
      ['config-field-types', 'config-url', 'nodeinfo-field-types', 'federation-inbox'],
    ]);
    const cures = report.findings.map(({ cure }) => cure).join('\n');
    expect(cures).toContain(`APP_URL=${server.url}\n`);
    expect(cures).not.toContain('https://127');
  });

  it('says that nothing listens, with the command that starts a server', async () => {
    const stopped = await startReference();
    await stopped.close();
    const { code, report } = await checkLocal(stopped.url);
    expect([code, report.verdict, failedRules(report)]).toEqual([1, 'unreachable', ['config-answered']]);
    expect(report.findings[0]).toMatchObject({
      detail: `${stopped.url} does not answer: nothing listens at the address.`,
      cure: expect.stringContaining('php artisan serve'),
    });
  });

  it.for(['http://10.0.0.1/', 'http://169.254.169.254/', 'https://loops.example/'])(
    'does not follow a redirect to %s',
    async (location) => {
      const { origin } = await startPlainServer((_request, response) => response.writeHead(302, { location }).end());
      const { code, report } = await checkLocal(origin);
      expect(code).toBe(1);
      expect(report.steps.filter(({ url }) => !url.startsWith(origin) && url !== '127.0.0.1')).toEqual([]);
      expect(report.verdict).not.toBe('loops');
    },
  );

  it('follows neither a redirect nor a NodeInfo href to another port of this machine', async () => {
    const other = await startPlainServer((_request, response) => response.end('{}'));
    const redirecting = await startPlainServer((request, response) =>
      response.writeHead(302, { location: other.origin + request.url }).end(),
    );
    await checkLocal(redirecting.origin);
    const rel = 'http://nodeinfo.diaspora.software/ns/schema/2.0';
    const advertising = await startPlainServer((_request, response) =>
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ links: [{ rel, href: `${other.origin}/nodeinfo/2.0` }] })),
    );
    await checkLocal(advertising.origin);
    expect(redirecting.requests.length).toBeGreaterThan(5);
    expect(advertising.requests.length).toBeGreaterThan(5);
    expect(other.requests).toEqual([]);
  });

  it.for(['2.0', '2.1'])(
    'sends nothing to another loopback address that discovery links for NodeInfo %s',
    async (version) => {
      const rel = `http://nodeinfo.diaspora.software/ns/schema/${version}`;
      let port = 0;
      const advertising = await startPlainServer((_request, response) =>
        response
          .writeHead(200, { 'content-type': 'application/json' })
          .end(JSON.stringify({ links: [{ rel, href: `http://127.0.0.2:${port}/nodeinfo/${version}` }] })),
      );
      port = Number(new URL(advertising.origin).port);
      const other = await startPlainServer((_request, response) => response.end('{}'), { host: '127.0.0.2', port });
      await checkLocal(advertising.origin);
      expect(advertising.requests.length).toBeGreaterThan(5);
      expect(other.requests).toEqual([]);
    },
  );
});
