import { expect, it, onTestFinished, vi } from 'vitest';
import { storedDomain } from '../../src/model/domain/domain.ts';
import { createCrawledSources } from '../../src/sources/kinds/crawled.ts';
import { SourceSettings } from '../../src/sources/kinds/registry.ts';
import type { Source, SourceItem } from '../../src/sources/source.ts';
import { selectHtmlInThread } from './select-html-in-thread.ts';

const server = (index: number) => ({
  domain: storedDomain(`h${index}.example.org`),
  ...{ software: 'mastodon', state: 'active', aliasOf: null, canonicalHost: null, discoveredBy: 'file x' },
});

/** The source of the peers of a server, which lists one peer. */
const peersThat = (onRead: () => void): Source => ({
  ...{ type: 'mastodon-peers', key: 'peers', label: 'peers', host: 'x.example.org' },
  async *read() {
    onRead();
    yield { kind: 'domain', line: 1, domain: storedDomain('peer.example.org'), software: null };
    return { outcome: 'complete', why: null, etag: null, lastModified: null, requests: 1, bytes: 10 };
  },
});

it('a crawled source requests no further server after its time limit, and reports how many it read', async () => {
  const entry = SourceSettings.parse({ type: 'crawled', peers: true, servers: 10, maxMinutes: 5 });
  if (entry.type !== 'crawled') throw new TypeError('The entry is not a crawled source.');
  const timeLimit = new AbortController();
  const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(timeLimit.signal);
  onTestFinished(() => timeout.mockRestore());
  let read = 0;
  const [source] = createCrawledSources(entry, {
    open: () => ({ lastId: 5, page: () => [0, 1, 2, 3, 4].map(server), [Symbol.dispose]: () => undefined }),
    peersOf: () => peersThat(() => ++read === 2 && timeLimit.abort()),
    excludedHosts: new Set(),
    random: () => 0,
  });
  const context = { http: null, previous: null, selectHtml: selectHtmlInThread, now: Date.now };
  const items = source?.read({ ...context, signal: new AbortController().signal });
  const found: SourceItem[] = [];
  for (let next = await items?.next(); next !== undefined; next = await items?.next()) {
    if (next.done === true) {
      const why = 'only 2 of 5 servers were read before the time limit';
      expect(next.value).toMatchObject({ outcome: 'partial', why, requests: 2 });
      break;
    }
    found.push(next.value);
  }
  expect(found).toHaveLength(2);
});
