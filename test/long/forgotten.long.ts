import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { asyncBufferFromFile, parquetReadObjects } from 'hyparquet';
import { expect, test } from 'vitest';
import { createApp } from '../../src/app/app.ts';
import { createLogger } from '../../src/logger.ts';
import { createFleet, type HostRow } from '../../src/reference/index.ts';
import { loadSettings } from '../../src/settings/settings.ts';
import { runCommand } from '../commands/run-command.ts';
import { createFleetHome } from '../process/fleet-home.ts';
import { startService } from '../process/start-service.ts';
import { freePort } from '../serve-http.ts';

/** A Loops server that others lead to, one that others write about, and a server whose peer list is a source. All opt out; the first is the example of `/api`. */
const [LED_TO, WRITTEN_ABOUT, SOURCE] = ['a-wants-out.example', 'b-wants-out.example', 'source-out.example'];
const OPTED_OUT = [LED_TO, WRITTEN_ABOUT, SOURCE];
const THEIRS = { name: `Not ${WRITTEN_ABOUT}`, description: `We moved away from https://${WRITTEN_ABOUT}/ at last` };

const DAY_MS = 86_400_000;
/** How many days apart the visits and exports of the year are. */
const EVERY_DAYS = 15;

const servingDocument = (name: string, kind: string, route: string, document: unknown): HostRow => {
  return { name, kind, faults: [{ route, fault: 'status', status: 200, body: JSON.stringify(document) }] };
};

test('a year after its first visit, a host that opts out is soon in no file, page, answer or log line of the running service; what others write in their own name and description stays', async () => {
  const port = await freePort();
  const withPort = (name: string) => `${name}:${port}`;
  const leading = ['old-name', 'leans-on-it', 'points-to-it', 'writes-about-it'].map((name) => `${name}.example`);
  const [oldName = '', leansOnIt = '', pointsToIt = '', writesAboutIt = ''] = leading;
  const loops = [...OPTED_OUT.slice(0, 2), ...Array.from({ length: 8 }, (_, index) => `kept-${index}.example`)];
  const listed = [...loops, ...leading, SOURCE].map(withPort);
  const rel = 'http://nodeinfo.diaspora.software/ns/schema/2.0';
  const rows: HostRow[] = [
    // The name that a server gives itself stays where another host is listed by its NodeInfo in the files of past days.
    ...loops.map(
      (name): HostRow => ({ name, kind: 'loops', config: { app: { name: 'Videos', description: 'Videos' } } }),
    ),
    {
      name: oldName,
      kind: 'not-found-everywhere',
      faults: [{ route: '*', fault: 'redirect', to: `https://${withPort(LED_TO)}/`, status: 301 }],
    },
    servingDocument(leansOnIt, 'not-found-everywhere', '/.well-known/nodeinfo', {
      links: [{ rel, href: `https://${withPort(LED_TO)}/nodeinfo/2.0` }],
    }),
    { name: pointsToIt, kind: 'loops', config: { app: { url: `https://${withPort(LED_TO)}` } } },
    { name: writesAboutIt, kind: 'loops', config: { app: THEIRS } },
    servingDocument(SOURCE, 'mastodon', '/api/v1/instance/peers', listed),
  ];
  await using fleet = await createFleet({ file: { hosts: rows, port } });
  using home = createFleetHome(
    { ...fleet, hosts: [] },
    { export: { dir: 'export', site: 'site' }, serve: { ratePerMinute: 0 } },
  );
  writeFileSync(join(home.folder, 'list.txt'), listed.join('\n'));
  const written = JSON.parse(readFileSync(home.settingsFile, 'utf8'));
  written.sources = [
    { type: 'file', path: 'list.txt' },
    { type: 'mastodon-peers', url: `https://${withPort(SOURCE)}`, pauseSeconds: 0 },
  ];
  writeFileSync(home.settingsFile, JSON.stringify(written));
  const { signal } = new AbortController();
  const visitsToLeading = leading.map(withPort);

  // The year: the fleet is visited and exported again and again, with a clock in the past.
  let at = Date.now() - 25 * EVERY_DAYS * DAY_MS;
  {
    const settings = loadSettings({ file: home.settingsFile, env: {} });
    const logger = createLogger({ level: 'silent', stream: process.stderr });
    await using app = await createApp(settings, logger, { now: () => at });
    for (; at < Date.now() - DAY_MS; at += EVERY_DAYS * DAY_MS) {
      await app.sources.read('all', signal);
      // An open reader would keep rows in the write-ahead log.
      using reader = app.store.reader();
      const known = [...reader.domains.all()].map(({ domain }) => domain);
      app.store.domains.requestVisit(known, at);
      await app.crawl({ signal, onCompleted: () => undefined });
      await app.publishing.export(signal, { force: true });
    }
  }

  await using service = await startService(['--config', home.settingsFile]);
  await service.waitForLog(({ msg }) => msg === 'export');
  /** Everything that the service shows, by URL or path, with the opted-out names that it contains. */
  const found = async () => ({
    ...(await namesInFolder(home.folder)),
    ...(await namesInAnswers(service.endpoints.url)),
  });
  const before = await found();
  const places = Object.keys(before).map((place) => place.replace(/\d{4}-\d\d(-\d\d)?/, 'DATE'));
  const expected = [
    '/',
    '/api',

    '/api/v1/changes',
    'export/instances.json',
    'export/feed.atom',
    'site/index.html',
  ];
  expect(places).toEqual(
    expect.arrayContaining([
      ...expected,
      'export/history/DATE.json.gz',
      'export/visits/DATE.parquet',
      'data/test.sqlite',
    ]),
  );
  expect(places.filter((place) => place === 'export/history/DATE.json.gz').length).toBeGreaterThan(20);

  const requestCounts = () => OPTED_OUT.map((name) => fleet.requests.count(withPort(name)));
  const startedAt = performance.now();
  const { code, stderr } = await runCommand(['forget', ...OPTED_OUT, '--config', home.settingsFile]);
  expect(code, stderr).toBe(0);
  const forgottenAt = performance.now();
  // Each opt-out itself: its row and its index entry.
  const optOuts = { 'data/test.sqlite': OPTED_OUT.flatMap((name) => [name, name]).toSorted() };
  await expect.poll(found, { timeout: 60_000, interval: 1_000 }).toEqual(optOuts);
  const seconds = (ms: number) => (ms / 1_000).toFixed(1);
  process.stdout.write(
    `forget took ${seconds(forgottenAt - startedAt)} s; ${seconds(performance.now() - forgottenAt)} s later nothing was left\n`,
  );
  const logged = service.log.length;
  const countsBefore = requestCounts();

  // The hosts that lead to them are visited again, and the sources are read again.
  expect((await runCommand(['add', ...visitsToLeading, '--config', home.settingsFile])).code).toBe(0);
  for (const domain of visitsToLeading) {
    const isNew = (line: { msg: string; domain?: string }) => line.msg === 'visit' && line.domain === domain;
    await expect.poll(() => service.log.slice(logged).some(isNew), { timeout: 60_000 }).toBe(true);
  }
  expect((await runCommand(['add', ...OPTED_OUT, '--config', home.settingsFile])).code).toBe(1);
  expect((await runCommand(['export', '--config', home.settingsFile])).code).toBe(0);
  expect(await found()).toEqual(optOuts);
  const { url } = service.endpoints;
  for (const name of OPTED_OUT)
    expect((await fetch(new URL(`/api/v1/domains/${withPort(name)}`, url))).status, name).toBe(404);
  const instance = await fetch(new URL(`/api/v1/instances/${withPort(writesAboutIt)}`, url));
  expect(await instance.json()).toMatchObject(THEIRS);
  await service.end('SIGTERM');
  const lines = service.log.slice(logged).map((line) => JSON.stringify(line));
  expect(lines.filter((line) => namesIn(line).length > 0)).toEqual([]);
  expect(lines.length).toBeGreaterThan(visitsToLeading.length);
  expect(requestCounts()).toEqual(countsBefore);
  expect(await namesInFolder(home.folder)).toEqual(optOuts);
});

/** The opted-out names in a text, sorted, without those in what another server writes in its name and description. */
function namesIn(text: string): string[] {
  const withoutTheirs = Object.values(THEIRS).reduce((rest, theirs) => {
    const escaped = theirs.replaceAll('/', '\\/');
    return [theirs, escaped, theirs.toLowerCase()].reduce((remaining, form) => remaining.replaceAll(form, ''), rest);
  }, text);
  return OPTED_OUT.flatMap((name) =>
    withoutTheirs
      .split(name)
      .slice(1)
      .map(() => name),
  ).toSorted();
}

const withNames = (texts: Iterable<readonly [place: string, text: string]>): Record<string, string[]> =>
  Object.fromEntries(
    [...texts].map(([place, text]) => [place, namesIn(text)] as const).filter(([, names]) => names.length > 0),
  );

/** The files of the folder that contain the names. The settings and the list are left out, because the operator wrote them. */
async function namesInFolder(folder: string): Promise<Record<string, string[]>> {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (file) =>
      statSync(join(folder, file), { throwIfNoEntry: false })?.isFile() === true &&
      file !== 'settings.json' &&
      file !== 'list.txt',
  );
  const parquet = files.filter((file) => file.endsWith('.parquet'));
  const tables = await Promise.all(
    parquet.map(async (file) => parquetReadObjects({ file: await asyncBufferFromFile(join(folder, file)) })),
  );
  const textOf = (value: unknown) =>
    JSON.stringify(value, (_key, part) => (typeof part === 'bigint' ? String(part) : part));
  return withNames([
    ...files.map((file) => {
      const bytes = readFileSync(join(folder, file));
      return [file, (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('latin1')] as const;
    }),
    ...parquet.map((file, index) => [file, textOf(tables[index])] as const),
  ]);
}

/** The pages and answers of a service that contain the names: everything that can be reached by links, and the examples of the API. */
async function namesInAnswers(url: string): Promise<Record<string, string[]>> {
  const texts = new Map<string, string>();
  const waiting = ['/', '/api', '/openapi.json', '/metrics', '/health', '/sitemap.xml', '/feed.atom'];
  waiting.push(...['instances?limit=500', 'changes', 'stats', 'software', 'versions'].map((name) => `/api/v1/${name}`));
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    const answer = await fetch(new URL(path, url), { redirect: 'manual' });
    const text = `${answer.headers.get('location') ?? ''}\n${await answer.text()}`;
    if (answer.status === 429 || answer.status >= 500) throw new Error(`${path} was answered with ${answer.status}`);
    texts.set(path, text);
    for (const [, href = ''] of text.matchAll(/href="(\/[^"]*)/g)) {
      const decoded = href.replaceAll('&amp;', '&').replaceAll(/&#(\d+);/g, (_, code) => String.fromCharCode(code));
      const [link = ''] = decoded.split('#');
      // Filters, orders and views combine without end: each is tried alone.
      const isCombination = new URL(link, url).searchParams.size > 1;
      if (!link.startsWith('//') && !isCombination && !texts.has(link) && !waiting.includes(link)) waiting.push(link);
    }
  }
  return withNames(texts);
}
