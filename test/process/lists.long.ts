import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runCommand } from '../commands/run-command.ts';
import { jsonAnswer, type ListAnswer, type ListSite, startListSite } from './list-site.ts';

let site: ListSite;
let folder: string;
beforeAll(async () => {
  site = await startListSite();
  folder = mkdtempSync(join(tmpdir(), 'loopscout-test-'));
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await site[Symbol.asyncDispose]();
});

const text =
  (body: string | Buffer, type = 'text/html', status = 200): ListAnswer =>
  (_request, response) =>
    response.writeHead(status, { 'content-type': type }).end(body);
/** The first answer for the page itself, the second for `?page=2`, and 404 for others. */
const pages =
  (first: (origin: string) => ListAnswer, second: ListAnswer): ListAnswer =>
  (request, response) => {
    const origin = `://${request.headers.host}`;
    const number = /[?&]page=(\d+)/.exec(request.url ?? '')?.[1] ?? '1';
    const answer =
      number === '1' ? first(origin) : number === '2' ? second : text('{"detail":"Invalid page."}', '', 404);
    return answer(request, response);
  };
const link = (target: string) => (): ListAnswer => jsonAnswer(['x.example'], { link: `<${target}>; rel="next"` });
/** Sends these bytes as the answer, whatever Node thinks of them. */
const raw =
  (headers: string, body: Buffer): ListAnswer =>
  (_request, { socket }) =>
    socket?.end(
      Buffer.concat([Buffer.from(`HTTP/1.1 200 OK\r\n${headers}\r\nContent-Length: ${body.length}\r\n\r\n`), body]),
    );
const html = (body: string) => text(`<!doctype html><main>${body}</main>`);
const anchor = (name: string) => `<a href="https://${name}.example">${name}</a>`;
const utf16 = (body: string) => Buffer.from(`\ufeff${body}`, 'utf16le');

/** Each list: how it is answered, its settings, what is read, and how the run ends. */
const lists: Record<string, [ListAnswer | string | Buffer, object, string[], string, RegExp?]> = {
  'as-html': [text('[{"host":"a1.example"}]'), { type: 'json', hosts: '*.host' }, ['a1'], 'complete'],
  'as-nothing': [text('\n["a2.example"]', 'application/octet-stream'), { type: 'json' }, ['a2'], 'complete'],
  'utf-16': [text(utf16('["a3.example"]')), { type: 'json' }, ['a3'], 'complete'],
  'a-page': [html(anchor('no')), { type: 'json' }, [], 'failed', /answers with a page of HTML, not with JSON/],
  inner: [
    pages(
      (origin) => jsonAnswer({ list: ['b1.example'], next: `http${origin}/?page=2` }),
      jsonAnswer({ list: ['b2.example'], next: null }),
    ),
    { type: 'json', hosts: 'list.*', next: { by: 'cursor', path: 'next' } },
    ['b1', 'b2'],
    'complete',
  ],
  'inner-port': [
    pages(
      (origin) =>
        jsonAnswer({ list: ['b3.example'], next: `http${origin.toUpperCase().replace(/:\d+$/, ':8080')}/?page=2` }),
      jsonAnswer({ list: ['b4.example'] }),
    ),
    { type: 'json', hosts: 'list.*', next: { by: 'cursor', path: 'next' } },
    ['b3', 'b4'],
    'complete',
  ],
  header: [pages(link('/?page=2'), jsonAnswer(['b5.example'])), { type: 'json' }, ['b5', 'x'], 'complete'],
  elsewhere: [
    pages(link('https://other.example/?page=2'), jsonAnswer([])),
    { type: 'json' },
    ['x'],
    'partial',
    /leads to another origin/,
  ],
  unset: [
    jsonAnswer({ list: ['b6.example'], links: { next: '/?page=2' } }),
    { type: 'json', hosts: 'list.*' },
    ['b6'],
    'partial',
    /announces another page at "links.next"/,
  ],
  page: [
    pages(
      (origin) => html(`${anchor('b7')}</main><a rel="next" href="http${origin}/?page=2">next</a>`),
      html(anchor('b8')),
    ),
    { type: 'page', selector: 'main a', next: 'a[rel=next]' },
    ['b7', 'b8'],
    'complete',
  ],
  'page-elsewhere': [
    html(`${anchor('b9')}</main><a rel="next" href="https://other.example/?page=2">next</a>`),
    { type: 'page', selector: 'main a', next: 'a[rel=next]' },
    ['b9'],
    'partial',
    /leads to another origin/,
  ],
  'page-unset': [
    html(`${anchor('b10')}<link rel="next" href="?page=2">`),
    { type: 'page' },
    ['b10'],
    'partial',
    /page 1 announces another page/,
  ],
  cells: [
    'Server,Users\n[Loops](https://c1.example),5\n[c2.example](https://c2.example),6\n"[Clips & more: a, site](https://c3.example)",7\n<a href="https://c4.example">C</a>,8\n[D](https://d.example) [E](https://e.example),9\n',
    { key: 'Server' },
    ['c1', 'c2', 'c3', 'c4'],
    'complete',
  ],
  'web-csv': [text('host\n<https://c5.example>\n', 'text/csv'), { type: 'csv' }, ['c5'], 'complete'],
  'utf-16-cells': [utf16('domain\r\n[x](https://c6.example)\r\n'), {}, ['c6'], 'complete'],
  numbered: [
    pages(() => jsonAnswer(['d1.example']), jsonAnswer(['d2.example'])),
    { type: 'json', next: { by: 'page' } },
    ['d1', 'd2'],
    'complete',
  ],
  'numbered-fault': [
    pages(() => jsonAnswer(['d3.example']), text('no', 'text/plain', 500)),
    { type: 'json', next: { by: 'page' } },
    ['d3'],
    'partial',
    /status 500/,
  ],
  'numbered-no-more': [
    pages(link('/?page=9'), jsonAnswer(['d4.example'], { link: '</?page=9>; rel=next' })),
    { type: 'json', next: { by: 'page' } },
    ['d4', 'x'],
    'partial',
    /status 404/,
  ],
  folded: [raw('X-Policy: a;\r\n  b', Buffer.from('["e1.example"]')), { type: 'json' }, ['e1'], 'complete'],
  'line-feed': [raw('X-Policy: a;\n\tb', Buffer.from('host\ne2.example\n')), { type: 'csv' }, ['e2'], 'complete'],
  'gzip-cut': [
    raw('Content-Encoding: gzip', gzipSync('["e3.example"]').subarray(0, -8)),
    { type: 'json' },
    ['e3'],
    'complete',
  ],
  'deflate-cut': [
    raw('X-Policy:\r\n a\r\nContent-Encoding: deflate', deflateSync('{"list":["e4.example"]}').subarray(0, -4)),
    { type: 'json', hosts: 'list.*' },
    ['e4'],
    'complete',
  ],
  'csv-cut': [
    raw('Content-Encoding: gzip', gzipSync('host\ne5.example\ne6.example\n').subarray(0, -8)),
    { type: 'csv' },
    ['e5', 'e6'],
    'partial',
    /invalid-encoding/,
  ],
  refusing: [
    text('no', 'text/plain', 403),
    { type: 'json' },
    [],
    'denied',
    /refuses access \(status 403\); ask its owner/,
  ],
};

test('crawl reads lists as they are, and sources says how each run ended', async () => {
  const sources = Object.entries(lists).map(([id, [answer, settings]]) => {
    if (typeof answer !== 'function') {
      writeFileSync(join(folder, `${id}.csv`), answer);
      return { type: 'file', id, path: `${id}.csv`, ...settings };
    }
    site.answers.set(`${id}.example`, answer);
    return { id, url: site.urlOf(`${id}.example`), pauseSeconds: 0, ...settings };
  });
  const config = join(folder, 'settings.json');
  const network = { allow: ['127.0.0.1/32'], dnsServers: [site.dnsServer], caFile: site.caFile };
  writeFileSync(
    config,
    JSON.stringify({
      contact: 'https://clips.dev/about',
      sources,
      network,
      domains: { allowSuffixes: ['example'] },
      export: { dir: 'export' },
    }),
  );

  const crawl = await runCommand(['crawl', '--json', '--config', config]);
  expect(crawl.code, crawl.stderr).toBe(0);
  const reports: { key: string; outcome: string; why: string | null; accepted: number; refusedByReason: object }[] =
    JSON.parse(crawl.stdout).sources;
  const ended = reports.map(({ key, outcome, accepted }) => [key, outcome, accepted]);
  expect(ended).toEqual(Object.entries(lists).map(([id, [, , names, outcome]]) => [id, outcome, names.length]));
  for (const { key, why } of reports) expect(why ?? '').toMatch(lists[key]?.[4] ?? /^$/);
  expect(reports.find(({ key }) => key === 'cells')?.refusedByReason).toEqual({ 'two-hosts': 1 });

  const domains = readFileSync(join(folder, 'export/domains.ndjson'), 'utf8').trim().split('\n');
  const names = new Set(Object.values(lists).flatMap(([, , read]) => read.map((name) => `${name}.example`)));
  expect(domains.map((line) => JSON.parse(line).domain).sort()).toEqual([...names].sort());

  const { stdout } = await runCommand(['sources', '--config', config]);
  for (const [id, [, , , outcome]] of Object.entries(lists))
    expect(stdout).toMatch(new RegExp(`^│ ${id} .*│ ${outcome} `, 'm'));
  expect(stdout).toMatch(
    /^refusing: .*ask its owner to admit the User-Agent of this crawler, or switch the source off/m,
  );
}, 120_000);
