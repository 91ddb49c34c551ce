import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { createFleet, type HostRow } from '../../src/reference/index.ts';
import { readStrictly } from '../export/read-strictly.ts';
import { closedPort } from '../http/loopback.ts';
import { createFleetHome } from '../process/fleet-home.ts';
import { runCli } from '../process/run-cli.ts';
import { startService } from '../process/start-service.ts';

/** The row of the opt-out, and its index. */
const OPT_OUT = ['data/test.sqlite: 2'];

/** A Loops server, known under more names, and a server whose peers are a source: both ask to be left alone. */
const WANTS_OUT = 'wants-out.example';
const SOURCE_OUT = 'source-out.example';

const serving = (name: string, kind: string, route: string, document: unknown): HostRow => {
  return { name, kind, faults: [{ route, fault: 'status', status: 200, body: JSON.stringify(document) }] };
};

test('after forget no table, file, export, log or page names the domain but its opt-out, and reading every source again does not bring it back', async () => {
  const port = await closedPort();
  const at = (name: string) => `${name}:${port}`;
  const loops = Array.from({ length: 12 }, (_, index) => `kept-${index}.example`);
  const www = `www.${WANTS_OUT}`;
  const listed = [...[WANTS_OUT, SOURCE_OUT, www, ...loops].map(at), `${WANTS_OUT}:8443`];
  const speaking = [
    {
      version: '1.0.0',
      name: `We were ${at(WANTS_OUT)}`,
      description: `moved from\n${at(www).toUpperCase()}, at last`,
    },
    { version: `1.0.0+${at(WANTS_OUT)}`, url: `https://${at(WANTS_OUT)}` },
    { version: '1.0.0', description: `see https%3A%2F%2F${WANTS_OUT}%3A${port}%2Fabout, or 这里${at(SOURCE_OUT)}。` },
  ];
  const rows: HostRow[] = [
    // Some of the others speak of it, each in another notation.
    ...loops.map(
      (name, index): HostRow => ({ name, kind: 'loops', config: { app: speaking[index] ?? { version: '1.0.0' } } }),
    ),
    // What it says of itself names it as well.
    {
      name: WANTS_OUT,
      kind: 'loops',
      config: { app: { name: `Home of ${WANTS_OUT}`, url: `https://${at(WANTS_OUT)}` } },
    },
    { name: www, kind: 'loops' },
    // Where its NodeInfo is said to be.
    serving('leans-on-it.example', 'not-found-everywhere', '/.well-known/nodeinfo', {
      links: [
        { rel: 'http://nodeinfo.diaspora.software/ns/schema/2.0', href: `https://${at(WANTS_OUT)}/nodeinfo/2.0` },
      ],
    }),
    serving(SOURCE_OUT, 'mastodon', '/api/v1/instance/peers', listed),
    serving(
      'lists.example',
      'not-found-everywhere',
      '/servers.json',
      listed.map((domain) => ({ domain, software: 'loops' })),
    ),
    // Others that lead to it.
    ...['old-name', 'older-name'].map((name): HostRow => {
      const to = `https://${at(WANTS_OUT)}/`;
      return {
        name: `${name}.example`,
        kind: 'not-found-everywhere',
        faults: [{ route: '*', fault: 'redirect', to, status: 301 }],
      };
    }),
  ];
  await using fleet = await createFleet({ file: { hosts: rows, port } });
  using home = createFleetHome({ ...fleet, hosts: [] }, { queue: { concurrency: 8 } });
  writeFileSync(
    join(home.folder, 'list.txt'),
    [...listed, ...['old-name.example', 'older-name.example', 'leans-on-it.example'].map(at)].join('\n'),
  );
  const settings = JSON.parse(readFileSync(home.settingsFile, 'utf8'));
  const web = { pauseSeconds: 0 };
  settings.sources = [
    { type: 'file', path: 'list.txt' },
    {
      type: 'json',
      url: `https://${at('lists.example')}/servers.json`,
      hosts: '*.domain',
      software: 'software',
      ...web,
    },
    { type: 'mastodon-peers', url: `https://${at(SOURCE_OUT)}`, ...web },
    { type: 'crawled', peers: true, depth: 2 },
  ];
  writeFileSync(home.settingsFile, JSON.stringify(settings));
  const cli = (...args: string[]) => runCli([...args, '--config', home.settingsFile]);
  const crawl = async (sources: string) => {
    const ended = await cli('crawl', '--json', '--sources', sources);
    expect(ended.code, ended.stderr).toBe(0);
    return {
      ...ended,
      sources: JSON.parse(ended.stdout).sources as { type: string; optedOut: number; entered: number }[],
    };
  };

  await crawl('all');
  await crawl('fresh');
  for (const name of [WANTS_OUT, SOURCE_OUT]) {
    expect(placesIn(home.database, name).length, name).toBeGreaterThan(3);
    expect(await exportsWith(home.exportDir, name), name).not.toEqual([]);
  }
  expect(placesIn(home.database, SOURCE_OUT)).toContain('sources.key');

  const before = knownOf(home.database, WANTS_OUT);
  expect(before).toEqual([at(WANTS_OUT), `${WANTS_OUT}:8443`, at(www)].toSorted());
  const forgotten = await cli('forget', WANTS_OUT, at(SOURCE_OUT), '--json');
  expect(forgotten.code, forgotten.stderr).toBe(0);
  expect(knownOf(home.database, WANTS_OUT)).toEqual([]);
  const asked = () => [WANTS_OUT, SOURCE_OUT, www].map((name) => fleet.requests.count(at(name)));
  const askedBefore = asked();
  const nothingLeft = async (when: string) => {
    for (const name of [WANTS_OUT, SOURCE_OUT]) {
      expect(placesIn(home.database, name), `${name} ${when}`).toEqual(['opt_outs.name']);
      expect(await exportsWith(home.exportDir, name), `${name} ${when}`).toEqual([]);
      expect(filesWith(home.folder, name), `${name} ${when}`).toEqual(OPT_OUT);
    }
    expect(asked(), when).toEqual(askedBefore);
  };
  await nothingLeft('after forget');

  for (const sources of ['all', 'fresh']) {
    const again = await crawl(sources);
    // What has not changed is not read again; what is read anew meets both, and leaves them alone.
    const met = again.sources.filter(({ type }) => type === 'file' || type === 'json');
    expect(met.map(({ entered }) => entered)).toEqual([0, 0]);
    if (sources === 'fresh') expect(met.map(({ optedOut }) => optedOut)).toEqual([4, 4]);
    expect(again.stderr + withoutSettings(again.stdout)).not.toContain(WANTS_OUT);
    await nothingLeft(`after reading ${sources}`);
  }

  await using service = await startService(['--config', home.settingsFile]);
  const { url } = service.told;
  await service.seen(({ msg }) => /source|export|idle/.test(msg)).catch(() => undefined);
  const pages = ['/about', '/api', '/openapi.json', '/metrics', '/health'];
  const lists = ['instances?limit=500', 'changes?limit=500', 'stats', 'software', 'versions'].map(
    (path) => `/api/v1/${path}`,
  );
  for (const path of [...pages, ...lists]) {
    const answer = await fetch(new URL(path, url));
    expect(answer.status, path).toBeLessThan(500);
    const text = await answer.text();
    for (const name of [WANTS_OUT, SOURCE_OUT]) expect(text, path).not.toContain(name);
  }
  // Whoever asks for the name is told of the opt-out, and nothing else.
  for (const one of [WANTS_OUT, at(WANTS_OUT), at(www), at(SOURCE_OUT)]) {
    const own = await fetch(new URL(`/api/v1/domains/${one}`, url));
    expect([own.status, await own.text()]).toEqual([404, expect.not.stringContaining('Home of')]);
  }
  const stats = await fetch(new URL('/api/v1/stats', url));
  expect(await stats.json()).toMatchObject({ optOuts: 2 });
  expect((await fetch(new URL(`/api/v1/instances/${at(WANTS_OUT)}`, url))).status).toBeGreaterThanOrEqual(404);
  await service.end('SIGTERM');
  const log = [...service.log.map((line) => JSON.stringify(line)), ...service.words].join('\n');
  expect(log.length).toBeGreaterThan(100);
  for (const name of [WANTS_OUT, SOURCE_OUT]) expect(log).not.toContain(name);
  await nothingLeft('after a service');
});

/** The domains whose names end with it, with a port or without. */
function knownOf(path: string, name: string): string[] {
  const database = new Database(path, { readonly: true });
  try {
    const domains = database.prepare('select domain from domains order by domain').pluck().all() as string[];
    return domains.filter((domain) => domain.split(':')[0]?.endsWith(name));
  } finally {
    database.close();
  }
}

/** The columns of the database that hold a text with it. */
function placesIn(path: string, name: string): string[] {
  const database = new Database(path, { readonly: true });
  try {
    const tables = database.prepare(`select name from sqlite_schema where type = 'table'`).pluck().all() as string[];
    return tables.flatMap((table) => {
      const columns = database.prepare(`select name from pragma_table_info(?)`).pluck().all(table) as string[];
      const holds = (column: string) =>
        database
          .prepare(`select count(*) from ${table} where instr(cast("${column}" as text), ?) > 0`)
          .pluck()
          .get(name) !== 0;
      return columns.filter(holds).map((column) => `${table}.${column}`);
    });
  } finally {
    database.close();
  }
}

/** The exported files that hold it, as their readers see them. */
async function exportsWith(dir: string, name: string): Promise<string[]> {
  const { json, rows, xml, text } = await readStrictly(dir);
  const all: [string, unknown][] = [json, rows, xml, text].flatMap((files) => [...files] as [string, unknown][]);
  const plain = (value: unknown) => JSON.stringify(value, (_key, one) => (typeof one === 'bigint' ? String(one) : one));
  return all.filter(([, value]) => plain(value).includes(name)).map(([file]) => file);
}

/**
 * The files of a folder whose bytes hold it, and how often, but for what its owner wrote: the settings and the list.
 */
function filesWith(folder: string, name: string): string[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => {
    return statSync(join(folder, file)).isFile() && file !== 'settings.json' && file !== 'list.txt';
  });
  return files.flatMap((file) => {
    const bytes = readFileSync(join(folder, file));
    const text = (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('latin1');
    const times = text.split(name).length - 1;
    return times > 0 ? [`${file}: ${times}`] : [];
  });
}

/** A report names its sources by what the settings say of them. */
function withoutSettings(report: string): string {
  return JSON.stringify({ ...JSON.parse(report), sources: [] });
}
