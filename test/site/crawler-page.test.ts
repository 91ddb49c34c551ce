import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { CrawlerStatus } from '../../src/directory/crawler-status.ts';
import { crawlerPage } from '../../src/site/crawler/crawler-page.ts';
import { staticSite } from '../../src/site/site.ts';
import { crawler as crawlerWords } from '../../src/site/words/english/crawler.ts';
import { SourceSettings } from '../../src/sources/kinds/registry.ts';
import type { Store } from '../../src/store/store.ts';
import { type OpenedSite, openSite } from './open-site.ts';
import { domainOf, NOW } from './site-store.ts';

const lane = (due: number, lateSeconds: number | null) => ({ due, lateSeconds });
const STATUS: CrawlerStatus = {
  status: 'degraded',
  problems: ['The source <script>alert(1)</script> cannot be read.'],
  version: '9.8.7',
  startedAt: new Date(NOW - 3 * 86_400_000).toISOString(),
  crawl: { phase: 'crawling', offlineSince: null },
  backlog: { live: lane(3, 120), new: lane(41_234, 7_200), known: lane(0, null), dead: lane(1, 90_000) },
  visits: {
    total: 1_200,
    byVerdict: { loops: 700, other: 300, unreachable: 200 },
    failureRates: { 'time-out': 0.15, 'DNS failure': 0.017 },
  },
  workers: [
    {
      ...{ name: 'east', version: '9.8.7', visits: 1_234, errors: 0 },
      lastSeen: new Date(NOW - 120_000).toISOString(),
    },
    {
      ...{ name: 'west-2.local', version: '9.8.6', visits: 7, errors: 56 },
      lastSeen: new Date(NOW - 86_400_000).toISOString(),
    },
  ],
  export: { lastAt: new Date(NOW - 600_000).toISOString(), guard: 'refused' },
  compaction: { lastAt: null },
  memory: { rssBytes: 123_400_000 },
};

let site: OpenedSite;
let readOnlySite: OpenedSite;
let reads = 0;

beforeAll(async () => {
  const health = () => {
    reads += 1;
    return STATUS;
  };
  site = await openSite({ instances: 10, days: 20, everyDays: 10 }, { health, fill: recordSourceRun });
  readOnlySite = await openSite({ instances: 2, days: 20, everyDays: 10 }, { now: () => NOW + 3_600_000 });
});
afterAll(async () => {
  await site[Symbol.asyncDispose]();
  await readOnlySite[Symbol.asyncDispose]();
});

/** Records a run of a file source that lists two instances. */
function recordSourceRun(store: Store): void {
  const source = { key: 'file /secret/seeds.txt', type: 'file', label: '/secret/seeds.txt' };
  const run = store.sources.beginRun(source, NOW - 3_600_000);
  if (run === null) throw new Error('the source is claimed');
  const candidates = [domainOf(3), domainOf(4)].map((domain) => ({ domain, software: null }));
  store.sources.enterFrom(run, candidates, NOW, {
    most: 100,
    softwareId: 'loops',
    mostPerRegistrable: 0,
    mostPortsPerHost: 0,
  });
  const end = { outcome: 'complete', why: null, etag: null, lastModified: null, requests: 0, bytes: 10 } as const;
  store.sources.endRun(run, { ...end, lines: 2, refused: 0, refusedByReason: {}, merged: 0 }, NOW - 3_590_000);
  store.sources.syncActive([source.key]);
}

const get = async (path: string, from = site) => {
  const response = await fetch(from.url + path);
  return { status: response.status, refresh: response.headers.get('refresh'), text: await response.text() };
};
/** The text that a page shows for a number of `/health`. */
const statOf = (text: string, name: string) =>
  new RegExp(`data-stat="${name.replaceAll('.', '\\.')}">([^<]*)<`).exec(text)?.[1];

describe('the page of the crawler', () => {
  test('shows the numbers of /health', async () => {
    const { text } = await get('/crawler');
    const health = (await (await fetch(`${site.url}/health`)).json()) as Required<CrawlerStatus>;
    for (const name of ['live', 'new', 'known', 'dead'] as const)
      expect(statOf(text, `backlog.${name}.due`)).toBe(health.backlog[name].due.toLocaleString('en-GB'));
    for (const [verdict, count] of Object.entries(health.visits.byVerdict))
      expect(statOf(text, `visits.byVerdict.${verdict}`)).toBe(count.toLocaleString('en-GB'));
    expect(statOf(text, 'visits.total')).toBe('1,200 visits');
    expect(statOf(text, 'visits.failureRates.time-out')).toBe('15% of all visits');
    expect(statOf(text, 'visits.failureRates.DNS failure')).toBe('1.7% of all visits');
    for (const words of [
      'the oldest for 2 hours',
      'refused: the published files',
      '9.8.7',
      '123 MB',
      'Due domains are being visited',
    ])
      expect(text).toContain(words);
  });

  test('shows the workers of /health, and no table without workers', async () => {
    const { text } = await get('/crawler');
    const { workers } = (await (await fetch(`${site.url}/health`)).json()) as Required<CrawlerStatus>;
    expect(workers).toEqual(STATUS.workers);
    for (const { name, version, ...numbers } of workers) {
      for (const field of ['visits', 'errors'] as const)
        expect(statOf(text, `workers.${name}.${field}`)).toBe(numbers[field].toLocaleString('en-GB'));
      expect(text).toContain(`<th scope="row">${name}</th><td>${version}</td>`);
    }
    expect(text).toContain('<td>2 minutes ago</td>');
    expect((await get('/crawler', readOnlySite)).text).not.toContain('id="workers"');
  });

  test('says "every due domain was visited" only if no domain is due', async () => {
    const idle = { ...STATUS, crawl: { phase: 'idle', offlineSince: null } } as const;
    const none = lane(0, null);
    const page = (backlog: Required<CrawlerStatus>['backlog']) => {
      const status = { ...idle, backlog };
      const rest = { at: NOW, sources: [], recordedVisits: 1, domains: 1, newest: null, refreshSeconds: null };
      return crawlerPage({ status, ...rest }, staticSite({ path: '/crawler', at: NOW }));
    };
    expect(page({ live: none, new: none, known: none, dead: none })).toContain('Every due domain was visited');
    expect(page({ live: lane(1, 5), new: none, known: none, dead: none })).not.toContain(
      'Every due domain was visited',
    );
  });

  test('shows what each source contributed, but not its path', async () => {
    const { text } = await get('/crawler');
    expect(text).toMatch(/file-seeds <span class="soft">File<\/span><\/th>.*complete.*\n.*>0<.*>2<.*>2</);
    expect(text).not.toContain('secret');
  });

  test('says of a source that refuses access where its cure is', () => {
    const counts = { added: 0, listed: 0, onlyHere: 0 };
    const denied = { ...counts, type: 'json', name: 'lists.example', readAt: NOW, outcome: 'denied' } as const;
    const rest = { at: NOW, recordedVisits: 1, domains: 1, newest: null, refreshSeconds: null };
    const text = crawlerPage({ status: STATUS, sources: [denied], ...rest }, staticSite({ path: '/crawler', at: NOW }));
    expect(text).toMatch(
      /lists\.example <.*refused: its server admits no programs, or requires a key; the command sources names the cure/,
    );
  });

  test('reloads itself, unless the URL has refresh=off', async () => {
    expect((await get('/crawler')).refresh).toBe('30');
    expect((await get('/crawler?refresh=off')).refresh).toBeNull();
  });

  test('shows problems as text', async () => {
    const { text } = await get('/crawler');
    expect(text).toContain('cannot be read');
    expect(text).not.toContain('<script>');
  });

  test('reads the status at most once for many requests within a few seconds', async () => {
    reads = 0;
    await Promise.all(Array.from({ length: 20 }, () => get('/crawler')));
    expect(reads).toBeLessThanOrEqual(1);
  });

  test('says nothing about a crawler, if this process only reads', async () => {
    const { status, text } = await get('/crawler', readOnlySite);
    expect(status).toBe(200);
    expect(text).toContain('whether a crawler runs is not known here');
    expect(text).not.toMatch(/data-stat="(?:status|backlog|visits)|id="publication"/);
  });

  test('names the time of the last visit at its foot, however long that is past', async () => {
    const { text } = await get('/crawler', readOnlySite);
    expect(text).toContain(`<time class="data-time" datetime="${new Date(NOW).toISOString()}">`);
    expect((await get('/api', readOnlySite)).text).not.toContain('data-time');
  });
});

test('every kind of source has a name on /crawler and a row in docs/sources.md', () => {
  const kinds = SourceSettings.options.map(({ shape }) => shape.type.value);
  const table = readFileSync('docs/sources.md', 'utf8').match(/^\|.*?\|/gm) ?? [];
  expect(Object.keys(crawlerWords.sources.types).sort()).toEqual([...kinds].sort());
  expect(
    table
      .join()
      .match(/(?<=`)[\w-]+(?=`)/g)
      ?.sort(),
  ).toEqual(['type', ...kinds].sort());
});
