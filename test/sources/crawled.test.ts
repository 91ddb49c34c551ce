import { expect, it } from 'vitest';
import { storedDomain } from '../../src/model/domain/domain.ts';
import { createCrawledSources } from '../../src/sources/kinds/crawled.ts';
import { SourceSettings } from '../../src/sources/kinds/registry.ts';
import type { Source, SourceItem } from '../../src/sources/source.ts';
import { selectHtmlInThread } from './select-html-in-thread.ts';

const server = (index: number) => ({
  domain: storedDomain(`h${index}.example.org`),
  ...{ software: 'mastodon', state: 'active', aliasOf: null, canonicalHost: null, discoveredBy: 'file x' },
});

/** The source of the peers of a server, which lists one peer after a delay. */
const slowPeers = (ms: number): Source => ({
  ...{ type: 'mastodon-peers', key: 'peers', label: 'peers', host: 'x.example.org' },
  async *read() {
    await new Promise((resolve) => setTimeout(resolve, ms));
    yield { kind: 'domain', line: 1, domain: storedDomain('peer.example.org'), software: null };
    return { outcome: 'complete', why: null, etag: null, lastModified: null, requests: 1, bytes: 10 };
  },
});

it('a crawled source requests no further server after its time limit, and reports how many it read', async () => {
  // The limit of 600 ms passes while the second server is read.
  const entry = SourceSettings.parse({ type: 'crawled', peers: true, servers: 10, maxMinutes: 0.01 });
  if (entry.type !== 'crawled') throw new TypeError('The entry is not a crawled source.');
  const [source] = createCrawledSources(entry, {
    open: () => ({ lastId: 5, page: () => [0, 1, 2, 3, 4].map(server), [Symbol.dispose]: () => undefined }),
    peersOf: () => slowPeers(350),
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
