import { expect, it } from 'vitest';
import type { Finding } from '../../../src/check/report.ts';
import { RULES } from '../../../src/check/rules.ts';
import { checkHost, gatherFrom, type OperatorHost, startOperatorHost } from '../operator-host.ts';

/** A host that redirects each of these paths to its target. With the target `=PATH`, it gives the answer of PATH instead. */
async function startRedirecting(targets: Record<string, string>): Promise<OperatorHost> {
  const host = await startOperatorHost();
  host.behaviour.answer = (request, response) => {
    const target = targets[request.url ?? ''];
    if (target === undefined) return false;
    const isRedirect = !target.startsWith('=');
    if (isRedirect) response.writeHead(301, { location: target }).end();
    else request.url = target.slice(1);
    return isRedirect;
  };
  return host;
}

const problemsIn = (findings: readonly Finding[]) =>
  findings
    .filter(({ severity }) => severity === 'fail' || severity === 'warn')
    .map(({ id, severity, detail }) => `${id} ${severity}: ${detail}`);

it('a check judges the configuration behind a redirect within the host, and reports the redirect', async () => {
  const host = await startRedirecting({ '/api/v1/config': '/api/v1/config/', '/api/v1/config/': '=/api/v1/config' });
  const evidence = await gatherFrom(host);
  expect(evidence.answers.config).toMatchObject({
    status: 200,
    url: 'https://loops.example/api/v1/config/',
    followed: ['https://loops.example/api/v1/config'],
  });
  const { findings } = await checkHost(host, { rules: RULES, skip: ['http-response-time'] });
  expect(problemsIn(findings)).toEqual(['config-redirect warn: /api/v1/config redirects to /api/v1/config/.']);
  expect(findings.find(({ id }) => id === 'config-field-types')?.severity).toBe('pass');
});

it.each([
  ['to itself', { '/api/v1/config': '/api/v1/config' }, /redirects to itself, in an endless loop/],
  ['in a circle', { '/api/v1/config': '/a', '/a': '/api/v1/config' }, /in an endless loop/],
  ['in a long chain', { '/api/v1/config': '/a', '/a': '/b', '/b': '/c', '/c': '/d' }, /too many times/],
])('a check reports a failure for a configuration that redirects %s', async (_title, targets, detail) => {
  const host = await startRedirecting(targets);
  const [first] = (await checkHost(host, { rules: RULES, only: ['config'] })).findings;
  expect(first).toMatchObject({ id: 'config-redirect', severity: 'fail', detail: expect.stringMatching(detail) });
});

it('a check reports a failure for a discovery document that redirects to itself', async () => {
  const host = await startRedirecting({ '/.well-known/nodeinfo': '/.well-known/nodeinfo' });
  expect(problemsIn((await checkHost(host, { rules: RULES, only: ['nodeinfo'] })).findings)).toEqual([
    'nodeinfo-discovery fail: /.well-known/nodeinfo redirects to itself, in an endless loop.',
  ]);
});

it('a check reads a NodeInfo document behind a redirect within the host', async () => {
  const host = await startRedirecting({ '/nodeinfo/2.0': '/nodeinfo/2.0/', '/nodeinfo/2.0/': '=/nodeinfo/2.0' });
  const { findings } = await checkHost(host, { rules: RULES, only: ['nodeinfo'] });
  expect(problemsIn(findings)).toEqual([
    expect.stringMatching(/^nodeinfo-document warn: .* redirects to \/nodeinfo\/2\.0\//),
  ]);
  expect(findings.find(({ id }) => id === 'nodeinfo-schema')?.severity).toBe('pass');
});

it('a check follows no redirect to another host', async () => {
  const host = await startRedirecting({ '/api/v1/config': 'https://other.example/api/v1/config' });
  expect((await gatherFrom(host, { only: ['config'] })).answers.config).toMatchObject({ status: 301, followed: [] });
  expect(host.dns.queries.filter((query) => query.includes('other.example'))).toEqual([]);
});
