import { describe, expect, it } from 'vitest';
import { readWeb } from './read-web.ts';
import { serveList } from './servers/serve-list.ts';

const serve = (...pages: string[]) =>
  serveList(({ url }, response) => {
    const body = pages[Number(url.searchParams.get('page') ?? 1) - 1] ?? '';
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', etag: '"1"' }).end(body);
  });
const read = (url: string, settings = {}) => readWeb({ type: 'page', url, ...settings });

describe('page', () => {
  it('yields links to other hosts, and skips relative links', async () => {
    const { url } = await serve(`<nav><a href="/">Home</a><a href="about.html">About</a></nav><main>
      <a href="https://A.example/about">A</a><a href="//b.example">B</a><a name="x">no link</a>
      <a href="#top">top</a><a href="mailto:me@c.example">mail</a><a href="http://[::1">broken</a></main>`);
    const { domains, refused, blank } = await read(url);
    expect(domains).toEqual(['a.example', 'b.example']);
    expect(refused.map(({ reason }) => reason)).toEqual(['ip-literal']);
    expect(blank).toBe(4);
  });

  it('skips absolute links to its own host', async () => {
    const server = await serveList((_, response) => {
      response.writeHead(200, { 'content-type': 'text/html' });
      response.end(`<a href="${server.url}/x">x</a><a href="https://a.example">a</a>`);
    });
    expect(await read(server.url)).toMatchObject({ domains: ['a.example'], blank: 1 });
  });

  it('reads the configured elements and attribute, or the text', async () => {
    const { url } = await serve('<ul><li data-host="a.example"> b.example </li></ul><a href="https://c.example">c</a>');
    expect((await read(url, { selector: 'li', attribute: 'data-host' })).domains).toEqual(['a.example']);
    expect((await read(url, { selector: 'li', attribute: null })).domains).toEqual(['b.example']);
  });

  it('follows links to the next page until one was already read', async () => {
    const { url } = await serve(
      '<a class="s" href="https://a.example">a</a><a rel="next" href="?page=2">next</a>',
      '<a class="s" href="https://b.example">b</a><a rel="next" href="?page=1&amp;x">next</a>',
      '',
    );
    const { domains, end } = await read(url, { selector: '.s', next: 'a[rel=next]', maxPages: 3 });
    expect(domains).toEqual(['a.example', 'b.example', 'a.example']);
    expect(end).toMatchObject({ outcome: 'partial', why: 'page 3 links to a page that was already read' });
  });

  it('fails with the cure if no element matches the selector', async () => {
    const { url } = await serve('<p>moved</p>');
    await expect(read(url, { selector: '.server a' })).rejects.toThrow(
      /has no element for "\.server a"; correct its "selector" in "sources" of the settings\.$/,
    );
  });

  it('rejects an invalid selector in the settings', async () => {
    const { url } = await serve('<p></p>');
    await expect(read(url, { selector: 'a[' })).rejects.toThrow('a CSS selector');
  });

  it('fails for a page over the byte limit', async () => {
    const { url } = await serve(`<a href="https://a.example">a</a>${' '.repeat(5_000)}`);
    await expect(read(url, { maxBytes: 4_096 })).rejects.toThrow('ends early: it is longer than 4096 bytes');
  });

  it('reads deeply nested tags, but fails beyond the depth limit', async () => {
    const nested = (levels: number) => serve(`${'<div>'.repeat(levels)}<a href="https://a.example">a</a>`);
    expect((await read((await nested(5_000)).url)).domains).toEqual(['a.example']);
    await expect(read((await nested(200_000)).url)).rejects.toThrow('nests its tags over 10000 deep');
  });

  it('reads many sibling elements within the time limit', async () => {
    const { url } = await serve(`${'<br><img src="x">'.repeat(20_000)}<a href="https://a.example">a</a>`);
    expect((await read(url)).domains).toEqual(['a.example']);
  });
});
