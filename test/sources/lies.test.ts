import { describe, expect, it, vi } from 'vitest';
import { readWeb } from './read-web.ts';
import { serveLies } from './servers/liar.ts';
import { serveMastodon } from './servers/mastodon.ts';

const MB = 1_048_576;

async function readLie(path: string, settings = {}, context = {}) {
  const server = await serveLies();
  return { server, run: readWeb({ type: 'json', url: server.url + path, ...settings }, context) };
}

describe('a source that lies', () => {
  it('with a body of ten gigabytes is read as far as it may be, and hung up on', async () => {
    const { server, run } = await readLie('/ten-gigabytes', { maxBytes: 2 * MB });
    const { domains, refused, end } = await run;
    expect(domains).toEqual(['a.example', ...Array(domains.length - 1).fill(`${'x'.repeat(60)}.example`)]);
    expect(refused.length).toBeLessThanOrEqual(1);
    expect(end).toMatchObject({
      outcome: 'partial',
      why: `ends early: it is longer than ${2 * MB} bytes`,
      bytes: 2 * MB,
    });
    await vi.waitFor(() => expect(server.totals.sent).toBeGreaterThan(0));
    expect(server.totals.sent).toBeLessThan(16 * MB);
  });

  it('with a gzip bomb is measured after decompression', async () => {
    const { server, run } = await readLie('/gzip-bomb', { maxBytes: 20 * MB });
    const before = process.memoryUsage.rss();
    const { domains, end } = await run;
    expect(domains).toEqual(['a.example']);
    expect(end).toMatchObject({ outcome: 'partial', bytes: 20 * MB });
    expect(server.totals.sent).toBeLessThan(1_000);
    expect(process.memoryUsage.rss() - before).toBeLessThan(200 * MB);
  });

  it('that breaks half-way leaves what came before', async () => {
    const { run } = await readLie('/half');
    const { domains, end } = await run;
    expect(domains).toEqual(['a.example', 'b.example']);
    expect(end).toMatchObject({ outcome: 'partial', why: 'ends early: connection-reset', etag: null });
  });

  it('that drips is ended when its time is up', async () => {
    const { run } = await readLie('/slow', { maxMinutes: 0.02 });
    const start = performance.now();
    const { domains, end } = await run;
    expect(domains).toEqual(['a.example']);
    expect(end).toMatchObject({ outcome: 'partial', why: 'ends early: the run took longer than 1.2 s' });
    expect(performance.now() - start).toBeLessThan(4_000);
  }, 15_000);

  it('that falls silent is not waited for', async () => {
    const { run } = await readLie('/silent');
    const { domains, end } = await run;
    expect(domains).toEqual(['a.example', 'b.example']);
    expect(end.why).toBe('ends early: no data for 1 s');
  });

  it('that never answers is an error', async () => {
    const { run } = await readLie('/never');
    await expect(run).rejects.toThrow('cannot be read: response-timeout; check that');
  });

  it.each([
    ['/html', 'answers with a page of HTML, not with JSON'],
    ['/html-as-json', 'ends early: it is not JSON: see byte 0'],
  ])('with HTML for JSON, at %s, is an error that says so', async (path, words) => {
    const { run } = await readLie(path);
    await expect(run).rejects.toThrow(words);
  });

  it.each([
    ['/endless', 25, 'it has more than 25 pages'],
    ['/circle', 4, 'page 5 was read before'],
  ])('with a chain of pages without end, at %s, is left after %i', async (path, pages, why) => {
    const next = { by: 'cursor', path: 'next', parameter: 'cursor' };
    const { run } = await readLie(path, { hosts: 'list.*', next, maxPages: 25 });
    const { domains, end } = await run;
    expect(domains).toHaveLength(pages);
    expect(end).toMatchObject({ outcome: 'partial', why });
  });

  it('with hosts on loopback has them refused, each by its reason', async () => {
    const { run } = await readLie('/loopback');
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

  it('with an entry of 600,000 levels costs that entry', async () => {
    const { run } = await readLie('/deep');
    const { domains, refused } = await run;
    expect(domains).toEqual(['a.example', 'b.example']);
    expect(refused).toMatchObject([{ line: 2, reason: 'bad-record' }]);
  }, 20_000);

  it('with a string without end is left at a mebibyte', async () => {
    const { server, run } = await readLie('/long-string');
    const { domains, end } = await run;
    expect(domains).toEqual(['a.example']);
    expect(end.why).toBe('ends early: it contains a string of over 1 MiB');
    expect(server.totals.sent).toBeLessThan(16 * MB);
  });

  it('with entries of megabytes costs what stands behind so much of one', async () => {
    const { run } = await readLie('/wide', { hosts: '*.host' });
    const { domains, refused } = await run;
    expect(domains).toEqual(['a.example', 'b.example']);
    expect(refused).toMatchObject([{ line: 1, reason: 'bad-record' }]);
  });

  it('holds up nobody: an honest one is read meanwhile', async () => {
    const { run } = await readLie('/silent');
    const honest = await serveMastodon(['a.example']);
    const order: string[] = [];
    await Promise.all([
      run.then(() => order.push('liar')),
      readWeb({ type: 'mastodon-peers', url: honest.url }).then(() => order.push('honest')),
    ]);
    expect(order).toEqual(['honest', 'liar']);
  });

  it('ends at once when the run is aborted', async () => {
    const abort = new AbortController();
    const { run } = await readLie('/never', {}, { signal: abort.signal });
    setTimeout(() => abort.abort(), 50);
    await expect(run).rejects.toHaveProperty('name', 'AbortError');
  });
});
