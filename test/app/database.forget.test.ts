import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createApp, createLogger, parseDomains } from '../../src/app/app.ts';
import { replayDatabase } from '../../src/app/database.ts';
import type { Visit } from '../../src/model/visit.ts';
import { openStore } from '../../src/store/open-store.ts';
import { createWorld } from '../create-world.ts';
import { readStrictly } from '../export/read-strictly.ts';
import { dumpRows } from '../store/dump-rows.ts';

const logger = createLogger({ level: 'silent', stream: process.stderr });
const { signal } = new AbortController();
const rel = 'http://nodeinfo.diaspora.software/ns/schema/2.0';

/** Servers that say in every place that there is for words that another is theirs. */
async function createFleetThatNames() {
  const world = await createWorld();
  const said = { more: '' };
  const app = { software: 'loops', version: '1.0.0' };
  const away = await world.listen('away.example', '127.0.10.1', async (path) =>
    path === '/api/v1/config' ? { app: { ...app, name: 'Away' }, federation: false } : null,
  );
  const texts = await world.listen('texts.example', '127.0.10.2', async (path, _request, response) => {
    if (path === '/robots.txt') response.end(`Sitemap: https://AWAY.example/sitemap.xml\n`);
    const name = 'We were away.example';
    const description = `Moved\naway.example was our name, see https%3A%2F%2Faway.example%2F. ${'And so on. '.repeat(250)}${said.more}`;
    if (path === '/api/v1/config')
      return { app: { ...app, name, description, url: `https://${away}`, version: 'v1+away.example' } };
    if (path === '/.well-known/nodeinfo') return { links: [{ rel, href: `https://${texts}/away.example/2.0` }] };
    if (path !== '/away.example/2.0') return null;
    return {
      version: '2.0',
      software: { name: 'loops', version: '1.0.0' },
      metadata: { peers: ['away.example'], nodeName: name },
    };
  });
  const href = await world.listen('href.example', '127.0.10.3', async (path) => {
    return path === '/.well-known/nodeinfo' ? { links: [{ rel, href: `https://${texts}/away.example/2.0` }] } : null;
  });
  const moved = await world.listen('moved.example', '127.0.10.4', async (path, _request, response) => {
    response.writeHead(302, { location: `https://${away}${path}` }).end();
    return null;
  });
  return { said, away, others: [texts, href, moved], settings: world.settings({}) };
}

/** What stands around the name wherever a reader meets it. */
const placesOf = (text: string) => [...text.matchAll(/.{0,100}away\.example.{0,30}/gi)].map(([place]) => place);

/** Everything that a reader is shown: files as they are read, a replay, the rows of every table but the opt-outs. */
async function everything(app: Awaited<ReturnType<typeof createApp>>) {
  const { settings } = app;
  await app.export(signal, { force: true });
  const files = await readStrictly(settings.export.dir);
  const plain = (_key: string, value: unknown) => {
    if (value instanceof Map) return [...value];
    return typeof value === 'bigint' ? String(value) : value;
  };
  const differences: unknown[] = [];
  const replayed = await replayDatabase(settings, {
    apply: false,
    signal,
    onDifference: (difference) => void differences.push(difference),
  });
  return {
    replayed: { differences, elsewhere: replayed.wouldAskElsewhere.count, visits: replayed.visits > 0 },
    text: JSON.stringify([files, differences, dumpRows(settings.database)], plain),
  };
}

test('once a domain is forgotten, nothing that others say names it, in any table, file or replay, and nothing is said to have changed', async () => {
  const { said, away, others, settings } = await createFleetThatNames();
  await using app = await createApp(settings, logger);
  const visit = async (...names: string[]) => {
    const visits: Visit[] = [];
    const only = parseDomains(names, app.settings);
    await app.crawl({ only, signal, onCompleted: (one) => visits.push(one) });
    // Two visits of one millisecond are one to what goes by time.
    await delay(2);
    return visits.toSorted((one, other) => (one.domain < other.domain ? -1 : 1));
  };
  const decided = (visits: Visit[]) => visits.map(({ verdict, reason, via }) => [verdict, reason, via]);
  const nothing = { differences: [], elsewhere: 0, visits: true };
  await visit(away, ...others);
  const before = await visit(...others);
  const told = await everything(app);
  expect(placesOf(told.text).length).toBeGreaterThan(30);
  expect(told.replayed).toEqual(nothing);

  {
    await using elsewhere = await openStore({ path: settings.database });
    elsewhere.forget(parseDomains(['away.example'], settings), Date.now());
  }
  const forgotten = await everything(app);
  expect(placesOf(forgotten.text)).toEqual([]);
  expect(forgotten.replayed).toEqual(nothing);
  using reader = app.store.reader();
  const changes = () => [...reader.changes()].length;
  const changed = changes();

  const after = await visit(...others);
  expect(decided(after)).toEqual(decided(before));
  expect(placesOf(JSON.stringify(after))).toEqual([]);
  expect(changes()).toBe(changed);
  said.more = 'x';
  await visit(...others);
  const later = await everything(app);
  expect(placesOf(later.text)).toEqual([]);
  expect(later.replayed).toEqual(nothing);
});
