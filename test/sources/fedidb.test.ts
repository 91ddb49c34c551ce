import { describe, expect, it } from 'vitest';
import { SourceSettings } from '../../src/sources/kinds/registry.ts';
import { readWeb } from './read-web.ts';
import { serveFedidb } from './servers/fedidb.ts';

const servers = [
  { domain: 'm.example', software: { name: 'Mastodon', slug: 'mastodon' } },
  ...Array.from({ length: 90 }, (_, index) => ({
    domain: `l${index}.example`,
    software: { name: 'Loops', slug: 'loops' },
  })),
];

const read = (url: string, settings = {}) => readWeb({ type: 'fedidb', url, ...settings });

describe('fedidb', () => {
  it('follows the cursor through pages of 40 servers of one software', async () => {
    const server = await serveFedidb({ servers });
    const { domains, end } = await read(server.url);
    expect(domains).toHaveLength(90);
    expect(domains[0]).toBe('l0.example loops');
    expect(end).toMatchObject({ outcome: 'complete', requests: 4 });
    expect(server.paths()[0]).toBe('/v1.1/software/loops/servers?limit=40&sort_by=user_count&small=1');
    expect(server.paths()[1]).toMatch(/&cursor=\w+$/);
  });

  it('requests the servers of all software if configured, and reports the name of a software without a slug', async () => {
    const server = await serveFedidb({ servers: [{ domain: 'a.example', software: { name: 'Loops' } }] });
    expect((await read(server.url, { software: null })).domains).toEqual(['a.example loops']);
    expect(server.paths()).toEqual(['/v1.1/servers?limit=40&sort_by=user_count&small=1']);
  });

  it('waits for Retry-After, and requests the same page again', async () => {
    const server = await serveFedidb({ servers, allowance: 2, retryAfter: '1' });
    const { domains } = await read(server.url);
    expect(domains).toHaveLength(90);
    expect(server.paths()).toHaveLength(4);
    expect(server.paths()[3]).toBe(server.paths()[2]);
  });

  it('pauses between pages by default', () => {
    expect(SourceSettings.parse({ type: 'fedidb' })).toMatchObject({
      pauseSeconds: 20,
      url: 'https://api.fedidb.org/',
    });
  });
});
