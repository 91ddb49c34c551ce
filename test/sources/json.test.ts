import { describe, expect, it } from 'vitest';
import { JsonSourceSettings } from '../../src/sources/kinds/json.ts';
import { createSource } from '../../src/sources/kinds/registry.ts';
import { readWeb } from './read-web.ts';
import { sendJson, serveList } from './servers/serve-list.ts';

const serve = (document: unknown) => serveList((_, response) => sendJson(response, document));
const read = (url: string, settings = {}) => readWeb({ type: 'json', url, ...settings });

describe('json', () => {
  it.each([
    ['a list of hosts', ['a.example', 'b.example'], {}],
    ['objects in a list', { data: [{ domain: 'a.example' }, { domain: 'b.example' }] }, { hosts: 'data.*.domain' }],
    ['nested lists', { groups: [{ of: ['a.example'] }, { of: ['b.example'] }] }, { hosts: 'groups.*.of.*' }],
    [
      'URLs in nested objects',
      [{ at: { url: 'https://a.example/x' } }, { at: { url: 'https://b.example' } }],
      { hosts: '*.at.url' },
    ],
    ['a key that every object inherits', { constructor: ['a.example', 'b.example'] }, { hosts: 'constructor.*' }],
  ])('reads hosts from %s', async (_what, document, settings) => {
    const { url } = await serve(document);
    expect((await read(url, settings)).domains).toEqual(['a.example', 'b.example']);
  });

  it('reports the software at the configured path in lower case, or null if it is missing or invalid', async () => {
    const { url } = await serve([
      { host: 'a.example', software: { name: ' Loops ' } },
      { host: 'b.example', software: null },
      { host: 'c.example', software: { name: ['loops'] } },
      { host: 'd.example', software: { name: 'x'.repeat(65) } },
    ]);
    const { domains } = await read(url, { hosts: '*.host', software: 'software.name' });
    expect(domains).toEqual(['a.example loops', 'b.example', 'c.example', 'd.example']);
  });

  it('refuses an entry without a host, reports its position and text, and continues', async () => {
    const { url } = await serve({ data: [{ domain: 'a.example' }, { name: 'x' }, 7, [], { domain: { x: 1 } }, null] });
    const { domains, refused } = await read(url, { hosts: 'data.*.domain' });
    expect(domains).toEqual(['a.example']);
    expect(refused.map(({ line, text, reason }) => [line, text, reason])).toEqual([
      [2, '{"name":"x"}', 'bad-record'],
      [3, '7', 'bad-record'],
      [4, '[]', 'bad-record'],
      [5, '{"domain":{"x":1}}', 'bad-record'],
      [6, 'null', 'bad-record'],
    ]);
  });

  it('follows page numbers until a page is empty', async () => {
    const pages = [['a.example'], ['b.example'], []];
    const server = await serveList(({ url }, response) => sendJson(response, pages[Number(url.searchParams.get('p'))]));
    const { domains } = await read(`${server.url}/list?x=1`, { next: { by: 'page', parameter: 'p', first: 0 } });
    expect(domains).toEqual(['a.example', 'b.example']);
    expect(server.paths()).toEqual(['/list?x=1&p=0', '/list?x=1&p=1', '/list?x=1&p=2']);
  });

  it('follows offsets', async () => {
    const all = ['a.example', 'b.example', 'c.example'];
    const server = await serveList(({ url }, response) => {
      const start = Number(url.searchParams.get('offset') ?? 0);
      sendJson(response, all.slice(start, start + 2));
    });
    expect((await read(server.url, { next: { by: 'offset' } })).domains).toEqual(all);
  });

  it('follows cursors, and URLs of next pages on the same host only', async () => {
    // The first page links to the second by the cursor 7, or for /url by a path; /2 links to a page on another host.
    const server = await serveList(({ url }, response) => {
      if (url.searchParams.get('after') === '7') return sendJson(response, { list: ['b.example'], next: null });
      if (url.pathname === '/2') return sendJson(response, { list: ['c.example'], next: 'http://127.0.0.2:1/3' });
      sendJson(response, { list: ['a.example'], next: url.pathname === '/url' ? '/2' : 7 });
    });
    const byCursor = { hosts: 'list.*', next: { by: 'cursor', path: 'next', parameter: 'after' } };
    expect((await read(server.url, byCursor)).domains).toEqual(['a.example', 'b.example']);
    const byUrl = { hosts: 'list.*', next: { by: 'cursor', path: 'next' } };
    expect((await read(`${server.url}/url`, byUrl)).domains).toEqual(['a.example', 'c.example']);
  });

  it('describes a document without the list', async () => {
    const { url } = await serve({ servers: [] });
    await expect(read(url, { hosts: 'data.*.domain' })).rejects.toThrow(
      `The source json ${url} data.*.domain answers with an object with the keys "servers" and without a list at "data"; check that`,
    );
  });

  it.each([
    ['hosts', 'data.domain', /a "\*" for the entries/],
    ['hosts', 'data..x', /a dotted path/],
    ['url', 'ftp://a.example', /an https or http URL/],
    ['url', 'https://user:word@a.example', /without user name/],
  ])('rejects the setting %s = %s', (key, value, words) => {
    const parsed = JsonSourceSettings.safeParse({ type: 'json', url: 'https://a.example', [key]: value });
    expect(parsed.error?.issues[0]?.message).toMatch(words);
  });

  it('uses its URL and path, or its id, as the key of the source', () => {
    const keyOf = (settings: object) => createSource(JsonSourceSettings.parse(settings), {}).key;
    expect(keyOf({ type: 'json', url: 'HTTPS://A.example/' })).toBe('json https://a.example');
    expect(keyOf({ type: 'json', url: 'https://a.example', hosts: '*.x' })).toBe('json https://a.example *.x');
    expect(keyOf({ type: 'json', url: 'https://a.example', id: 'mine' })).toBe('mine');
  });
});
