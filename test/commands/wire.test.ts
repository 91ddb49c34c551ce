import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflateSync, gzipSync, constants as zlib, zstdCompressSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkDomain } from '../../src/app/check.ts';
import { explanationText } from '../../src/explain/text/explanation-text.ts';
import { storedDomain } from '../../src/model/domain/domain.ts';
import { explainDomain } from '../../src/service/explain-domain.ts';
import { loadSettings } from '../../src/settings/settings.ts';
import { serveRawHosts } from '../process/raw-hosts.ts';
import { runCommand } from './run-command.ts';

type Host = Readonly<Record<string, (domain: string) => Uint8Array>>;

const PATHS = { config: '/api/v1/config', discovery: '/.well-known/nodeinfo', document: '/nodeinfo/2.0' };
const version = '1.0.0-beta.14';
const config = (domain: string) =>
  JSON.stringify({ app: { software: 'loops', version, name: 'Clips', url: `https://${domain}` }, federation: true });
const linkTo = (domain: string) =>
  JSON.stringify({
    links: [{ rel: 'http://nodeinfo.diaspora.software/ns/schema/2.0', href: `https://${domain}${PATHS.document}` }],
  });
const nodeInfo = JSON.stringify({
  version: '2.0',
  software: { name: 'loops', version },
  usage: { users: { total: 7 } },
});

const answer = (headers: string, body: Uint8Array, status = '200 OK', end = '\r\n') =>
  Buffer.concat([
    Buffer.from(
      [`HTTP/1.1 ${status}`, ...(headers === '' ? [] : [headers]), `Content-Length: ${body.length}`, '', ''].join(end),
    ),
    body,
  ]);

/** A Loops server that sends each document with these headers, in this encoding. */
const loops = (
  headers: string,
  encode: (body: string) => Uint8Array = (body) => Buffer.from(body),
  end?: string,
): Host => ({
  [PATHS.config]: (domain) => answer(headers, encode(config(domain)), '200 OK', end),
  [PATHS.discovery]: (domain) => answer(headers, encode(linkTo(domain)), '200 OK', end),
  [PATHS.document]: () => answer(headers, encode(nodeInfo), '200 OK', end),
});
const redirecting = (location: (path: string) => string): Host =>
  Object.fromEntries(
    [PATHS.config, PATHS.discovery].map((path) => [
      path,
      () => answer(`Location: ${location(path)}`, Buffer.alloc(0), '301 Moved Permanently'),
    ]),
  );
const refusing = (body: string): Host =>
  Object.fromEntries(
    ['/', '/robots.txt', PATHS.config, PATHS.discovery].map((path) => [
      path,
      () => answer('Content-Type: text/html', Buffer.from(body), '403 Forbidden'),
    ]),
  );

const hosts: Record<string, Host> = {
  'folded.test': loops("Content-Security-Policy: default-src 'self';\r\n  img-src *"),
  'tabbed.test': loops('X-Policy:\r\n\ta;\r\n\tb'),
  'newline.test': loops("Content-Security-Policy: default-src 'self';\n  img-src *"),
  'bare.test': loops('X-Policy: a', undefined, '\n'),
  'long-policy.test': loops(`Content-Security-Policy: ${'img-src https://media.example '.repeat(700)}`),
  'cookies.test': loops(Array.from({ length: 30 }, (_, i) => `Set-Cookie: c${i}=${'x'.repeat(2_000)}`).join('\r\n')),
  'many-lines.test': loops(Array.from({ length: 3_000 }, (_, i) => `X-${i}: a`).join('\r\n')),
  'too-large.test': loops(`X-Policy: ${'x'.repeat(70_000)}`),
  'gzip-cut.test': loops('Content-Encoding: gzip', (body) => gzipSync(body).subarray(0, -8)),
  'deflate-cut.test': loops('Content-Encoding: deflate', (body) => deflateSync(body).subarray(0, -4)),
  'zstd-cut.test': loops('Content-Encoding: zstd', (body) =>
    zstdCompressSync(body, { params: { [zlib.ZSTD_c_checksumFlag]: 1 } }).subarray(0, -4),
  ),
  'json-cut.test': loops('Content-Encoding: gzip', (body) => gzipSync(body).subarray(0, -20)),
  'as-html.test': loops('Content-Type: text/html'),
  'control.test': loops('X-Policy: a\x01b\r\n c'),
  'to-cafe.test': redirecting((path) => `https://café.test:PORT${path}`),
  'to-clips.test': redirecting((path) => `https://КЛИПЫ.test:PORT${path}`),
  'latin.test': redirecting((path) => `https://caf\u{e9}.test:PORT${path}LATIN`),
  'leak.test': redirecting((path) => `http://leak.test:8080${path}`),
  'leak-tls.test': redirecting((path) => `https://leak-tls.test:8443${path}`),
  'inside.test': redirecting((path) => `http://backend:8000${path}`),
  'big.test': loops(''),
  'blog.test': { [PATHS.discovery]: () => answer('', Buffer.from(linkTo('big.test:PORT'))) },
  'shop.test': {
    [PATHS.config]: () => answer('Content-Type: text/html', Buffer.from('<h1>A shop</h1>')),
    [PATHS.discovery]: () => answer('', Buffer.from(linkTo('big.test:PORT'))),
  },
  'own.test': {
    ...loops(''),
    [PATHS.config]: () => answer('', Buffer.from(config('big.test:PORT'))),
  },
  'copy.test': {
    [PATHS.config]: () => answer('', Buffer.from(config('big.test:PORT'))),
    [PATHS.discovery]: () => answer('', Buffer.from(linkTo('big.test:PORT'))),
    [PATHS.document]: () => answer('', Buffer.from(nodeInfo)),
  },
  'mirror.test': {
    ...loops(''),
    [PATHS.config]: () => answer('', Buffer.from(config('big.test:PORT'))),
    [PATHS.discovery]: () => answer(`Location: https://mirror.test:PORT/moved`, Buffer.alloc(0), '302 Found'),
    '/moved': () => answer('', Buffer.from(linkTo('big.test:PORT'))),
  },
  'denied.test': refusing('<h1>Forbidden</h1>'),
  'challenged.test': refusing('<title>Just a moment...</title>'),
};

let net: Awaited<ReturnType<typeof serveRawHosts>>;
let visits: Map<
  string,
  { verdict: string; reason: string; aliasOf?: string | null; steps?: { code?: string; note?: string }[] }
>;
const domainOf = (host: string) => storedDomain(`${host}:${net.port}`);
const command = (...args: string[]) => runCommand([...args, '--config', net.settingsFile], net.folder);

beforeAll(async () => {
  net = await serveRawHosts((host, target) => {
    const bytes = hosts[host]?.[target]?.(`${host}:${net.port}`);
    if (bytes === undefined) return undefined;
    const [head = '', ...rest] = Buffer.from(bytes).toString('latin1').split('\r\n\r\n');
    if (!head.includes('PORT') && !rest.join().includes('PORT')) return bytes;
    // The port is known only now, and may change the length.
    const body = rest.join('\r\n\r\n').replaceAll('PORT', String(net.port));
    const isLatin = head.includes('LATIN');
    const named = head.replaceAll('PORT', String(net.port)).replace('LATIN', '');
    const sent = named.replace(/Content-Length: \d+/, `Content-Length: ${Buffer.byteLength(body, 'latin1')}`);
    return Buffer.from(`${isLatin ? sent.replace('\xc3\xa9', '\xe9') : sent}\r\n\r\n${body}`, 'latin1');
  });
  const { stdout, stderr } = await command(
    'crawl',
    ...Object.keys(hosts).map((host) => `${host}:${net.port}`),
    '--json',
  );
  if (stdout === '') throw new Error(stderr);
  const report = JSON.parse(stdout) as { visits: { domain: string; verdict: string; reason: string }[] };
  visits = new Map(report.visits.map((visit) => [visit.domain.split(':')[0] ?? '', visit]));
});

afterAll(() => net[Symbol.dispose]());

test.each([
  ['folded.test', 'malformed-header'],
  ['tabbed.test', 'malformed-header'],
  ['newline.test', 'bare-line-feed'],
  ['bare.test', 'bare-line-feed'],
  ['long-policy.test', undefined],
  ['cookies.test', undefined],
  ['many-lines.test', undefined],
  ['gzip-cut.test', undefined],
  ['deflate-cut.test', undefined],
  ['zstd-cut.test', undefined],
  ['as-html.test', undefined],
  ['big.test', undefined],
  ['own.test', undefined],
])('a crawl identifies %s by its config, and its step has the code %s', (host, code) => {
  const visit = visits.get(host);
  expect(visit).toMatchObject({ verdict: 'loops', reason: 'config-software' });
  expect(visit?.steps?.find((step) => step.code !== undefined)?.code).toBe(code);
});

test.each([
  ['too-large.test', 'unidentified', 'headers-too-large'],
  ['json-cut.test', 'unidentified', 'invalid-encoding'],
  ['control.test', 'unreachable', 'invalid-http'],
  ['latin.test', 'unidentified', 'redirect-refused'],
  ['leak.test', 'unidentified', 'redirect-refused'],
  ['leak-tls.test', 'unidentified', 'redirect-refused'],
  ['inside.test', 'unidentified', 'redirect-refused'],
  ['denied.test', 'unidentified', 'access-refused'],
  ['challenged.test', 'unidentified', 'challenge-page'],
])('a crawl finds %s %s, with the reason %s', (host, verdict, reason) => {
  expect(visits.get(host)).toMatchObject({ verdict, reason });
});

test('a redirect in UTF-8 makes an alias of the host that was meant, and contacts no other', () => {
  expect(visits.get('to-cafe.test')).toMatchObject({ verdict: 'alias', aliasOf: `xn--caf-dma.test:${net.port}` });
  expect(visits.get('to-clips.test')).toMatchObject({ verdict: 'alias', aliasOf: `xn--h1addr4d.test:${net.port}` });
  expect(new Set(net.requests.map(([host]) => host))).toEqual(new Set(Object.keys(hosts)));
});

test('explain names the fault, with a command that shows it, or the target or instance', async () => {
  const cases: [host: string, texts: string[]][] = [
    ['folded.test', ['Send each header on a line of its own', 'curl --http1.1 -si', 'read leniently']],
    ['bare.test', ['End each header line with CR LF', 'curl --http1.1 -si']],
    ['too-large.test', ['headers of a response exceeded', 'curl --http1.1 -si']],
    ['leak.test', ['http://leak.test:8080', 'port_in_redirect off']],
    ['leak-tls.test', ['leak-tls.test:8443']],
    ['blog.test', [`another name of big.test:${net.port}`]],
    ['shop.test', [`another name of big.test:${net.port}`]],
    ['copy.test', [`another name of big.test:${net.port}`]],
    ['mirror.test', [`another name of big.test:${net.port}`]],
    ['denied.test', ['403']],
  ];
  const settings = loadSettings({ file: net.settingsFile });
  for (const [host, texts] of cases) {
    const explanation = explainDomain(settings, domainOf(host), { visits: 5, now: Date.now() });
    const text = explanationText(explanation, (_looks, plain) => plain).replaceAll(/\s+/g, ' ');
    for (const each of texts) expect(text, host).toContain(each);
  }
});

test('check names the fault, with a cure', async () => {
  const cases: [host: string, rule: string, severity: string, texts: string[]][] = [
    ['folded.test', 'http-header-lines', 'warn', ['folded', 'cat -A']],
    ['newline.test', 'http-header-lines', 'warn', ['LF alone', 'cat -A']],
    ['too-large.test', 'config-answered', 'fail', ['64 KiB', 'sort -rn']],
    ['json-cut.test', 'config-answered', 'fail', ['cut off', 'gzip -t']],
    ['leak.test', 'config-redirect', 'fail', ['http://leak.test:8080/api/v1/config', 'absolute_redirect off']],
    ['inside.test', 'config-redirect', 'fail', ['http://backend:8000/api/v1/config', 'X-Forwarded-Proto']],
    ['denied.test', 'config-public', 'fail', ['403']],
  ];
  const settings = loadSettings({ file: net.settingsFile });
  for (const [host, rule, severity, texts] of cases) {
    const report = await checkDomain(settings, domainOf(host), { newestVersion: null });
    const { findings } = report;
    const finding = findings.find((each) => each.id === rule);
    expect(finding, `${host} ${rule}`).toMatchObject({ severity });
    for (const text of texts) expect(JSON.stringify(finding), host).toContain(text);
    expect(JSON.stringify(report)).not.toContain('check the other name');
  }
});

test('an export lists and counts an instance once, and a server with documents of its own beside it', async () => {
  const { code, stderr } = await command('export');
  expect(code, stderr).toBe(0);
  const read = (name: string) => JSON.parse(readFileSync(join(net.folder, 'export', name), 'utf8'));
  const { instances } = read('instances.json');
  const [today] = read('stats.json').points;
  const names: string[] = instances.map(({ domain }: { domain: string }) => domain.split(':')[0]);
  expect(names).toEqual(expect.arrayContaining(['big.test', 'own.test']));
  expect(names.filter((name) => ['blog.test', 'shop.test', 'copy.test', 'mirror.test'].includes(name))).toEqual([]);
  expect(today).toMatchObject({ instances: names.length, usage: { users: { total: names.length * 7 } } });
});
