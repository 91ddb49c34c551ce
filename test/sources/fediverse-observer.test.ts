import { describe, expect, it } from 'vitest';
import { FediverseObserverSettings } from '../../src/sources/kinds/fediverse-observer.ts';
import { createSource } from '../../src/sources/kinds/registry.ts';
import { readWeb } from './read-web.ts';
import { type ObserverNode, serveObserver } from './servers/observer.ts';
import { sendJson, serveList } from './servers/serve-list.ts';

const nodes: ObserverNode[] = [
  { domain: 'loops.example', softwarename: 'loops', status: 'UP' },
  { domain: 'gone.example', softwarename: 'loops', status: 'DOWN' },
  { domain: 'other.example', softwarename: 'mastodon', status: 'UP' },
];

const read = (url: string, settings = {}) => readWeb({ type: 'fediverse-observer', url, ...settings });

describe('fediverse-observer', () => {
  it('requests the servers of one software that are up', async () => {
    const { url } = await serveObserver(nodes);
    expect((await read(url)).domains).toEqual(['loops.example loops']);
  });

  it('requests servers that are down, or of all software, if configured', async () => {
    const { url } = await serveObserver(nodes);
    expect((await read(url, { status: 'ALL' })).domains).toEqual(['loops.example loops', 'gone.example loops']);
    expect((await read(url, { software: null })).domains).toEqual(['loops.example loops', 'other.example mastodon']);
    expect((await read(url, { software: null, status: 'ALL' })).domains).toHaveLength(3);
  });

  it('sends its key, and shows it nowhere', async () => {
    const server = await serveObserver(nodes, 'k-1');
    expect((await read(`${server.url}/graphql`, { key: 'k-1' })).domains).toEqual(['loops.example loops']);
    await expect(read(server.url, { key: 'wrong' })).rejects.toThrow(/^(?!.*wrong).* without a list at "data\.nodes"/);
    const settings = FediverseObserverSettings.parse({ type: 'fediverse-observer', key: 'k1' });
    const { key, label } = createSource(settings, {});
    expect([key, label]).toEqual([
      'fediverse-observer https://api.fediverse.observer/graphql loops',
      'https://api.fediverse.observer/graphql loops',
    ]);
  });

  it('posts without conditional headers, which have another meaning for POST', async () => {
    const conditions: unknown[] = [];
    const { url } = await serveList(({ headers }, response) => {
      conditions.push(headers['if-none-match'], headers['if-modified-since']);
      response.setHeader('etag', '"1"');
      sendJson(response, { data: { nodes: [{ domain: 'loops.example', softwarename: 'loops' }] } });
    });
    const first = await read(url);
    expect(first.end).toMatchObject({ outcome: 'complete', etag: null });
    const again = await readWeb({ type: 'fediverse-observer', url }, { previous: { etag: '"1"', lastModified: null } });
    expect(again.end).toMatchObject({ outcome: 'complete' });
    expect(conditions).toEqual([undefined, undefined, undefined, undefined]);
  });

  it('describes a response with status 200 that holds errors', async () => {
    const { url } = await serveList((_, response) => sendJson(response, { errors: [{ message: 'no' }], data: null }));
    await expect(read(url)).rejects.toThrow(
      'answers with an object with the keys "errors", "data" and without a list at "data.nodes"',
    );
  });
});
