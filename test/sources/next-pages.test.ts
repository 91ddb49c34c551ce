import { describe, expect, it } from 'vitest';
import { nextInLinkHeader, nextPageAt } from '../../src/sources/next-page.ts';
import { readWeb } from './read-web.ts';
import { type ListServer, sendJson, serveList } from './servers/serve-list.ts';

const page = new URL('https://list.example:8443/servers?page=1');
const otherOrigin = 'its link to the next page leads to another origin, which is not followed';

describe('a link to the next page', () => {
  it.each([
    ['relative', '?page=2'],
    ['a path', '/servers?page=2#top'],
    ['the same origin', 'https://list.example:8443/servers?page=2'],
    ['an upper-case host', 'HTTPS://LIST.Example:8443/servers?page=2'],
    ['a host with the root label', 'https://list.example.:8443/servers?page=2'],
    ['without a scheme', '//list.example:8443/servers?page=2'],
    ['http on the same port', 'http://list.example:8443/servers?page=2'],
    ['http on its default port', 'http://list.example/servers?page=2'],
    ['http on an inner port', ' http://list.example:8080/servers?page=2 '],
    ['with a user name', 'https://me:secret@list.example:8443/servers?page=2'],
  ])('is read over https at the origin of the page if it is %s', (_form, link) => {
    expect(String(nextPageAt(link, page))).toBe('https://list.example:8443/servers?page=2');
  });

  it.each([
    ['another host', 'https://other.example:8443/servers?page=2', otherOrigin],
    ['another host over http', 'http://other.example/servers?page=2', otherOrigin],
    ['a subdomain', 'https://api.list.example:8443/servers?page=2', otherOrigin],
    ['https on another port', 'https://list.example/servers?page=2', otherOrigin],
    ['a script', 'javascript:next()', 'its link to the next page is not an http or https URL'],
    ['no URL', 'https://[', 'its link to the next page is not an http or https URL'],
  ])('is not followed if it is %s', (_form, link, why) => {
    expect(nextPageAt(link, page)).toBe(why);
  });
});

describe('a Link header', () => {
  it.each([
    ['</a?page=2>; rel="next"', '/a?page=2'],
    ['<https://x.example/a>;rel=next', 'https://x.example/a'],
    ['</first>; rel="first", </2>; title="a, b; rel=prev"; REL="Last NEXT"', '/2'],
    ['</a,b>; rel=prev, </c;d>; rel="next"; rel="prev"', '/c;d'],
  ])('announces the next page: %s', (header, target) => {
    expect(nextInLinkHeader(header)).toBe(target);
  });

  it.each([
    undefined,
    '',
    '</a>',
    '</a>; rel=prev; title="rel=next"',
    '</a>; rel="nextish"',
    '</a>; rel=next; anchor="/b"',
  ])('announces no page: %s', (header) => expect(nextInLinkHeader(header)).toBeNull());

  it('of 60 KB that repeats the starts of links announces no page', () => {
    expect(nextInLinkHeader(`${'<a>;rel="'.repeat(3_000)}${'<a> ; x'.repeat(5_000)}`)).toBeNull();
  });
});

/** Serves two pages of a list; `announce` gives the headers of the first, and what its document holds beside the list. */
function servePages(announce: (server: ListServer) => { headers?: Record<string, string>; beside?: object }) {
  const server: Promise<ListServer> = serveList(async ({ url }, response) => {
    const { headers, beside } = url.search === '' ? announce(await server) : {};
    sendJson(response, { list: [`h${url.search.length}.example`], ...beside }, 200, headers);
  });
  return server;
}
const readJson = async (server: ListServer, settings = {}) => {
  const { domains, end } = await readWeb({ type: 'json', url: server.url, hosts: 'list.*', ...settings });
  return { domains, outcome: end.outcome, why: end.why, etag: end.etag };
};
const both = ['h0.example', 'h7.example'];

describe('a list in JSON', () => {
  it.each([
    ['in a Link header', () => ({ headers: { link: '<?page=2>; rel="next"' } }), {}],
    [
      'in a Link header, in spite of a cursor path that leads nowhere',
      () => ({ headers: { link: '<?page=2>; rel=next' } }),
      { by: 'cursor', path: 'meta.next' },
    ],
    ['as a relative URL', () => ({ beside: { next: '?page=2' } }), { by: 'cursor', path: 'next' }],
    [
      'as a URL with the inner port',
      () => ({ beside: { next: 'http://127.0.0.1:1/?page=2' } }),
      { by: 'cursor', path: 'next' },
    ],
  ])('is read to its end when the next page is announced %s', async (_how, announce, next) => {
    const server = await servePages(announce);
    const run = await readJson(server, 'by' in next ? { next } : {});
    expect(run).toEqual({ domains: both, outcome: 'complete', why: null, etag: null });
  });

  it.each([
    [
      'at another origin',
      () => ({ beside: { next: 'https://other.example/?page=2' } }),
      { next: { by: 'cursor', path: 'next' } },
      otherOrigin,
    ],
    [
      'at another origin in a Link header',
      () => ({ headers: { link: '<https://other.example/>; rel=next' } }),
      {},
      otherOrigin,
    ],
    [
      'in an object',
      () => ({ beside: { next: { href: '?page=2' } } }),
      { next: { by: 'cursor', path: 'next' } },
      'it has a list or an object, not a cursor, at "next"',
    ],
    [
      'at a path without a setting',
      () => ({ beside: { links: { next: '/?page=2' } } }),
      {},
      'it announces another page at "links.next", which "next" in the settings does not name',
    ],
    [
      'at a path that is not the configured one',
      () => ({ beside: { meta: { has_more: true } } }),
      { next: { by: 'cursor', path: 'cursor' } },
      'it announces another page at "meta.has_more", which "next" in the settings does not name',
    ],
    [
      'as HAL',
      () => ({ beside: { _links: { next: { href: '/?page=2' } } } }),
      {},
      'it announces another page at "_links.next.href", which "next" in the settings does not name',
    ],
    [
      'as a list of links',
      () => ({ beside: { links: [{ rel: 'self' }, { rel: 'next', href: '/?page=2' }] } }),
      {},
      'it announces another page at "links.rel", which "next" in the settings does not name',
    ],
  ])('is partial when the next page is announced %s', async (_how, announce, settings, why) => {
    const run = await readJson(await servePages(announce), settings);
    expect(run).toEqual({ domains: ['h0.example'], outcome: 'partial', why, etag: null });
  });

  it('is complete when what announces a page is empty', async () => {
    const beside = {
      next: null,
      next_page: '',
      links: { next: 'null' },
      meta: { has_more: false, next_cursor: 0, nextUpdate: 'soon' },
    };
    const server = await servePages(() => ({ headers: { etag: '"1"', link: '</>; rel=self' }, beside }));
    expect(await readJson(server)).toEqual({ domains: ['h0.example'], outcome: 'complete', why: null, etag: '"1"' });
  });

  describe('with numbered pages', () => {
    const serveNumbered = (afterEnd: number, beside = {}) =>
      serveList(({ url }, response) => {
        const number = Number(url.searchParams.get('page') ?? url.searchParams.get('offset'));
        if (number <= 2) sendJson(response, { list: [`h${number}.example`], ...beside });
        else sendJson(response, { detail: 'Invalid page.' }, afterEnd);
      });

    it.each(['page', 'offset'])('ends complete at a %s that does not exist', async (by) => {
      const run = await readJson(await serveNumbered(404), { next: { by } });
      expect(run).toMatchObject({ outcome: 'complete', why: null });
      expect(run.domains.slice(-2)).toEqual(['h1.example', 'h2.example']);
    });

    it.each([
      ['an error', 500, {}, 'answers with status 500'],
      ['a refusal', 403, {}, /^refuses access \(status 403\); ask its owner/],
      ['a page that was announced but does not exist', 404, { next: '/?page=9' }, 'answers with status 404'],
    ])('ends partial at %s', async (_what, status, beside, why) => {
      const run = await readJson(await serveNumbered(status, beside), { next: { by: 'page' } });
      expect(run).toMatchObject({ domains: ['h1.example', 'h2.example'], outcome: 'partial' });
      expect(run.why).toMatch(why);
    });

    it('fails when its first page does not exist', async () => {
      const server = await serveNumbered(404);
      await expect(readJson(server, { next: { by: 'page', first: 3 } })).rejects.toThrow('answers with status 404');
    });
  });
});

describe('a web page', () => {
  const servePage = (first: string, headers: Record<string, string> = {}) =>
    serveList(({ url }, response) => {
      const isFirst = url.search === '';
      response.writeHead(200, { 'content-type': 'text/html', ...(isFirst ? headers : {}) });
      response.end(`<a class="s" href="https://h${url.search.length}.example">x</a>${isFirst ? first : ''}`);
    });
  const readPage = async (server: ListServer, settings = {}) => {
    const { domains, end } = await readWeb({ type: 'page', url: server.url, selector: '.s', ...settings });
    return { domains, outcome: end.outcome, why: end.why };
  };
  const next = 'a[rel=next]';

  it('is read to its end when the selected link has the scheme and port of the inside', async () => {
    const server = await servePage('<a rel="next" href="http://127.0.0.1:1/?page=2">next</a>');
    expect(await readPage(server, { next })).toEqual({ domains: both, outcome: 'complete', why: null });
  });

  it('is partial when the selected link leads to another origin', async () => {
    const server = await servePage('<a rel="next" href="https://other.example/?page=2">next</a>');
    expect(await readPage(server, { next })).toEqual({ domains: ['h0.example'], outcome: 'partial', why: otherOrigin });
  });

  it.each([
    ['a link', '<a rel="nofollow NEXT" href="?page=2">next</a>', {}, {}],
    ['its head', '<link rel="next" href="?page=2">', {}, {}],
    ['a Link header', '', { link: '<?page=2>; rel="next"' }, {}],
    ['a link that the selector misses', '<a rel="next" href="?page=2">next</a>', {}, { next: 'a.next' }],
  ])('is partial when %s announces a page that is not selected', async (_how, html, headers, settings) => {
    const run = await readPage(await servePage(html, headers), settings);
    expect(run).toMatchObject({ domains: ['h0.example'], outcome: 'partial' });
    expect(run.why).toMatch(/^page 1 announces another page, which /);
  });

  it.each(['<a rel="next">next</a>', '<a rel="next" href="#">next</a>', '<a rel="prev" href="?page=2">back</a>'])(
    'is complete when its link leads nowhere: %s',
    async (html) => {
      const run = await readPage(await servePage(html), { next });
      expect(run).toEqual({ domains: ['h0.example'], outcome: 'complete', why: null });
    },
  );
});
