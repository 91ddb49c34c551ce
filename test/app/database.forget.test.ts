import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createApp, createLogger, parseDomains } from '../../src/app/app.ts';
import { replayDatabase } from '../../src/app/database.ts';
import type { Visit } from '../../src/model/visit.ts';
import { openStore } from '../../src/store/open-store.ts';
import { createTestNetwork } from '../create-test-network.ts';
import { readStrictly } from '../export/read-strictly.ts';
import { dumpRows } from '../store/dump-rows.ts';

const logger = createLogger({ level: 'silent', stream: process.stderr });
const { signal } = new AbortController();
const rel = 'http://nodeinfo.diaspora.software/ns/schema/2.0';

/** Servers that mention another domain in every text field. */
async function createMentioningServers() {
  const testNetwork = await createTestNetwork();
  const description = { suffix: '' };
  const app = { software: 'loops', version: '1.0.0' };
  const away = await testNetwork.listen('away.example', '127.0.10.1', async (path) =>
    path === '/api/v1/config' ? { app: { ...app, name: 'Away' }, federation: false } : null,
  );
  const texts = await testNetwork.listen('texts.example', '127.0.10.2', async (path, _request, response) => {
    if (path === '/robots.txt') response.end(`Sitemap: https://AWAY.example/sitemap.xml\n`);
    const name = 'We were away.example';
    const text = `Moved\naway.example was our name, see https%3A%2F%2Faway.example%2F. ${'And so on. '.repeat(250)}${description.suffix}`;
    if (path === '/api/v1/config')
      return { app: { ...app, name, description: text, url: `https://${away}`, version: 'v1+away.example' } };
    if (path === '/.well-known/nodeinfo') return { links: [{ rel, href: `https://${texts}/away.example/2.0` }] };
    if (path !== '/away.example/2.0') return null;
    return {
      version: '2.0',
      software: { name: 'loops', version: '1.0.0' },
      metadata: { peers: ['away.example'], nodeName: name },
    };
  });
  const href = await testNetwork.listen('href.example', '127.0.10.3', async (path) => {
    return path === '/.well-known/nodeinfo' ? { links: [{ rel, href: `https://${texts}/away.example/2.0` }] } : null;
  });
  const moved = await testNetwork.listen('moved.example', '127.0.10.4', async (path, _request, response) => {
    response.writeHead(302, { location: `https://${away}${path}` }).end();
    return null;
  });
  return { description, away, others: [texts, href, moved], settings: testNetwork.settings({}) };
}

/** Every occurrence of the domain, with the text around it. */
const mentionsIn = (text: string) => [...text.matchAll(/.{0,100}away\.example.{0,30}/gi)].map(([match]) => match);

/** All output: the export files, a replay and the rows of every table except the opt-outs. */
async function readAll(app: Awaited<ReturnType<typeof createApp>>) {
  const { settings } = app;
  await app.export(signal, { force: true });
  const files = await readStrictly(settings.export.dir);
  const toJson = (_key: string, value: unknown) => {
    if (value instanceof Map) return [...value];
    return typeof value === 'bigint' ? String(value) : value;
  };
  const differences: unknown[] = [];
  const replayed = await replayDatabase(settings, {
    revisit: false,
    signal,
    onDifference: (difference) => void differences.push(difference),
  });
  return {
    replayed: { differences, elsewhere: replayed.wouldAskElsewhere.count, visits: replayed.visits > 0 },
    text: JSON.stringify([files, differences, dumpRows(settings.database)], toJson),
  };
}

test('after a domain is forgotten, no table, file or replay mentions it, and no change is recorded for domains that mention it', async () => {
  const { description, away, others, settings } = await createMentioningServers();
  await using app = await createApp(settings, logger);
  const visit = async (...names: string[]) => {
    const visits: Visit[] = [];
    const only = parseDomains(names, app.settings);
    await app.crawl({ only, signal, onCompleted: (completed) => visits.push(completed) });
    // Some queries order by time, so two visits must not share a millisecond.
    await delay(2);
    return visits.toSorted((a, b) => (a.domain < b.domain ? -1 : 1));
  };
  const outcomes = (visits: Visit[]) => visits.map(({ verdict, reason, via }) => [verdict, reason, via]);
  const noDifferences = { differences: [], elsewhere: 0, visits: true };
  await visit(away, ...others);
  const before = await visit(...others);
  const initial = await readAll(app);
  expect(mentionsIn(initial.text).length).toBeGreaterThan(30);
  expect(initial.replayed).toEqual(noDifferences);

  {
    await using store = await openStore({ path: settings.database });
    store.forget(parseDomains(['away.example'], settings), Date.now());
  }
  const forgotten = await readAll(app);
  expect(mentionsIn(forgotten.text)).toEqual([]);
  expect(forgotten.replayed).toEqual(noDifferences);
  using reader = app.store.reader();
  const countChanges = () => [...reader.changes()].length;
  const changesBefore = countChanges();

  const after = await visit(...others);
  expect(outcomes(after)).toEqual(outcomes(before));
  expect(mentionsIn(JSON.stringify(after))).toEqual([]);
  expect(countChanges()).toBe(changesBefore);
  description.suffix = 'x';
  await visit(...others);
  const later = await readAll(app);
  expect(mentionsIn(later.text)).toEqual([]);
  expect(later.replayed).toEqual(noDifferences);
});
