import { describe, expect, it } from 'vitest';
import { readWeb } from './read-web.ts';
import { serveLies } from './servers/liar.ts';
import { serveMastodon } from './servers/mastodon.ts';

const MB = 1_048_576;

async function readHostile(path: string, settings = {}, context = {}, http = {}) {
  const server = await serveLies();
  return { server, run: readWeb({ type: 'json', url: server.url + path, ...settings }, context, http) };
}

describe('a hostile source', () => {
  it('with a body of ten gigabytes is read up to the limit, and disconnected', async () => {
    const { server, run } = await readHostile('/ten-gigabytes', { maxBytes: MB });
    const { domains, refused, end } = await run;
    expect(domains).toEqual(['a.example', ...Array(domains.length - 1).fill(`${'x'.repeat(60)}.example`)]);
    expect(refused.length).toBeLessThanOrEqual(1);
    expect(end).toMatchObject({
      outcome: 'partial',
      why: `ends early: it is longer than ${MB} bytes`,
      bytes: MB,
    });
    await expect.poll(() => server.totals.sent).toBeGreaterThan(0);
    expect(server.totals.sent).toBeLessThan(16 * MB);
  });

  it('with a gzip bomb is limited by its decompressed size', async () => {
    const { server, run } = await readHostile('/gzip-bomb', { maxBytes: MB });
    const { domains, end } = await run;
    expect(domains).toEqual(['a.example']);
    expect(end).toMatchObject({ outcome: 'partial', bytes: MB });
    expect(server.totals.sent).toBeLessThan(1_000);
  });

  it('of endless empty gzip members is disconnected', async () => {
    const { server, run } = await readHostile('/gzip-members', { maxBytes: MB });
    await expect(run).rejects.toThrow(`it is longer than ${MB} bytes`);
    await expect.poll(() => server.totals.sent).toBeGreaterThan(0);
    expect(server.totals.sent).toBeLessThan(16 * MB);
  });

  it('that breaks off keeps the entries before the break', async () => {
    const { run } = await readHostile('/half');
    const { domains, end } = await run;
    expect(domains).toEqual(['a.example', 'b.example']);
    expect(end).toMatchObject({ outcome: 'partial', why: 'ends early: connection-reset', etag: null });
  });

  it.each([
    ['/continue', 'cannot be read: more than 10 informational answers (1xx)'],
    ['/brotli', 'ends early: the body has the encoding "br"'],
    ['/tiny-chunks', 'chunks of fewer than 32 bytes on average'],
  ])('is aborted at %s, and the reason is given', async (path, words) => {
    const { run } = await readHostile(path, { maxBytes: 2 * MB });
    const why = await run.then(
      ({ end }) => end.why,
      (error) => error.message,
    );
    expect(why).toContain(words);
  });

  it('that sends byte by byte is ended at the time limit', async () => {
    const { run } = await readHostile('/slow', { maxMinutes: 0.01 });
    const { domains, end } = await run;
    expect(domains).toEqual(['a.example']);
    expect(end).toMatchObject({ outcome: 'partial', why: 'ends early: the run took longer than 0.6 s' });
  });

  it('that stops sending is ended after the stall time-out', async () => {
    const { run } = await readHostile('/silent', {}, {}, { stallMs: 100 });
    const { domains, end } = await run;
    expect(domains).toEqual(['a.example', 'b.example']);
    expect(end.why).toBe('ends early: no data for 0.1 s');
  });

  it('that never responds is an error', async () => {
    const { run } = await readHostile('/never', {}, {}, { responseMs: 100 });
    await expect(run).rejects.toThrow('cannot be read: response-timeout; check that');
  });

  it.each([
    ['/html', 'answers with a page of HTML, not with JSON'],
    ['/html-as-json', 'answers with a page of HTML, not with JSON'],
  ])('with HTML instead of JSON at %s is an error that says so', async (path, words) => {
    const { run } = await readHostile(path);
    await expect(run).rejects.toThrow(words);
  });

  it.each([
    ['/endless', 25, 'it has more than 25 pages'],
    ['/circle', 4, 'page 4 links to a page that was already read'],
  ])('with an endless chain of pages at %s is ended after page %i', async (path, pages, why) => {
    const next = { by: 'cursor', path: 'next', parameter: 'cursor' };
    const { run } = await readHostile(path, { hosts: 'list.*', next, maxPages: 25 });
    const { domains, end } = await run;
    expect(domains).toHaveLength(pages);
    expect(end).toMatchObject({ outcome: 'partial', why });
  });

  it('with local hosts and addresses has each refused, with its reason', async () => {
    const { run } = await readHostile('/loopback');
    const { domains, refused } = await run;
    expect(domains).toEqual(['a.example']);
    expect(refused.map(({ reason }) => reason)).toEqual([
      'ip-literal',
      'single-label',
      'ip-literal',
      'ip-literal',
      'ip-literal',
      'ip-literal',
    ]);
  });

  it('with an entry of 655,360 levels has only that entry refused', async () => {
    const { run } = await readHostile('/deep');
    const { domains, refused } = await run;
    expect(domains).toEqual(['a.example', 'b.example']);
    expect(refused).toMatchObject([{ line: 2, reason: 'bad-record' }]);
  }, 20_000);

  it('with an endless string is ended after 1 MiB', async () => {
    const { server, run } = await readHostile('/long-string');
    const { domains, end } = await run;
    expect(domains).toEqual(['a.example']);
    expect(end.why).toBe('ends early: it contains a string of over 1 MiB');
    expect(server.totals.sent).toBeLessThan(16 * MB);
  });

  it('with a huge entry loses only the fields after its size limit', async () => {
    const { run } = await readHostile('/wide', { hosts: '*.host' });
    const { domains, refused } = await run;
    expect(domains).toEqual(['a.example', 'b.example']);
    expect(refused).toMatchObject([{ line: 1, reason: 'bad-record' }]);
  });

  it('does not delay another source', async () => {
    const other = await serveMastodon(['a.example']);
    const { run } = await readHostile('/silent', {}, {}, { stallMs: 300 });
    const order: string[] = [];
    await Promise.all([
      run.then(() => order.push('hostile')),
      readWeb({ type: 'mastodon-peers', url: other.url }).then(() => order.push('other')),
    ]);
    expect(order).toEqual(['other', 'hostile']);
  });

  it('ends at once when the run is aborted', async () => {
    const abort = new AbortController();
    const { server, run } = await readHostile('/never', {}, { signal: abort.signal });
    await expect.poll(() => server.paths()).toEqual(['/never']);
    abort.abort();
    await expect(run).rejects.toHaveProperty('name', 'AbortError');
  });
});
