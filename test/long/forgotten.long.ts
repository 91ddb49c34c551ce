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

/** The occurrences that remain: the opt-out row and its index entry. */
const OPT_OUT_ONLY = ['data/test.sqlite: 2'];

/** A Loops server with several names, and a server whose peer list is a source. Both opt out. */
const OPTED_OUT = 'wants-out.example';
const OPTED_OUT_SOURCE = 'source-out.example';

const serving = (name: string, kind: string, route: string, document: unknown): HostRow => {
  return { name, kind, faults: [{ route, fault: 'status', status: 200, body: JSON.stringify(document) }] };
};

test('after forget, no table, file, export, log or page contains the domain except its opt-out, and reading every source again does not bring it back', async () => {
  const port = await closedPort();
  const withPort = (name: string) => `${name}:${port}`;
  const loops = Array.from({ length: 12 }, (_, index) => `kept-${index}.example`);
  const www = `www.${OPTED_OUT}`;
  const listed = [...[OPTED_OUT, OPTED_OUT_SOURCE, www, ...loops].map(withPort), `${OPTED_OUT}:8443`];
  const mentions = [
    {
      version: '1.0.0',
      name: `We were ${withPort(OPTED_OUT)}`,
      description: `moved from\n${withPort(www).toUpperCase()}, at last`,
    },
    { version: `1.0.0+${withPort(OPTED_OUT)}`, url: `https://${withPort(OPTED_OUT)}` },
    {
      version: '1.0.0',
      description: `see https%3A%2F%2F${OPTED_OUT}%3A${port}%2Fabout, or 这里${withPort(OPTED_OUT_SOURCE)}。`,
    },
  ];
  const rows: HostRow[] = [
    // Some of the other servers mention the opted-out server, each in a different notation.
    ...loops.map(
      (name, index): HostRow => ({ name, kind: 'loops', config: { app: mentions[index] ?? { version: '1.0.0' } } }),
    ),
    // The texts of the opted-out server contain its own name.
    {
      name: OPTED_OUT,
      kind: 'loops',
      config: { app: { name: `Home of ${OPTED_OUT}`, url: `https://${withPort(OPTED_OUT)}` } },
    },
    { name: www, kind: 'loops' },
    // A host whose discovery document links to a NodeInfo document on the opted-out server.
    serving('leans-on-it.example', 'not-found-everywhere', '/.well-known/nodeinfo', {
      links: [
        { rel: 'http://nodeinfo.diaspora.software/ns/schema/2.0', href: `https://${withPort(OPTED_OUT)}/nodeinfo/2.0` },
      ],
    }),
    serving(OPTED_OUT_SOURCE, 'mastodon', '/api/v1/instance/peers', listed),
    serving(
      'lists.example',
      'not-found-everywhere',
      '/servers.json',
      listed.map((domain) => ({ domain, software: 'loops' })),
    ),
    // Hosts that redirect to the opted-out server.
    ...['old-name', 'older-name'].map((name): HostRow => {
      const to = `https://${withPort(OPTED_OUT)}/`;
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
    [...listed, ...['old-name.example', 'older-name.example', 'leans-on-it.example'].map(withPort)].join('\n'),
  );
  const settings = JSON.parse(readFileSync(home.settingsFile, 'utf8'));
  const withoutPause = { pauseSeconds: 0 };
  settings.sources = [
    { type: 'file', path: 'list.txt' },
    {
      type: 'json',
      url: `https://${withPort('lists.example')}/servers.json`,
      hosts: '*.domain',
      software: 'software',
      ...withoutPause,
    },
    { type: 'mastodon-peers', url: `https://${withPort(OPTED_OUT_SOURCE)}`, ...withoutPause },
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
  for (const name of [OPTED_OUT, OPTED_OUT_SOURCE]) {
    expect(columnsWith(home.database, name).length, name).toBeGreaterThan(3);
    expect(await exportsWith(home.exportDir, name), name).not.toEqual([]);
  }
  expect(columnsWith(home.database, OPTED_OUT_SOURCE)).toContain('sources.key');

  const before = knownDomains(home.database, OPTED_OUT);
  expect(before).toEqual([withPort(OPTED_OUT), `${OPTED_OUT}:8443`, withPort(www)].toSorted());
  const forgotten = await cli('forget', OPTED_OUT, withPort(OPTED_OUT_SOURCE), '--json');
  expect(forgotten.code, forgotten.stderr).toBe(0);
  expect(knownDomains(home.database, OPTED_OUT)).toEqual([]);
  const requestCounts = () => [OPTED_OUT, OPTED_OUT_SOURCE, www].map((name) => fleet.requests.count(withPort(name)));
  const countsBefore = requestCounts();
  const expectNothingLeft = async (when: string) => {
    for (const name of [OPTED_OUT, OPTED_OUT_SOURCE]) {
      expect(columnsWith(home.database, name), `${name} ${when}`).toEqual(['opt_outs.name']);
      expect(await exportsWith(home.exportDir, name), `${name} ${when}`).toEqual([]);
      expect(filesWith(home.folder, name), `${name} ${when}`).toEqual(OPT_OUT_ONLY);
    }
    expect(requestCounts(), when).toEqual(countsBefore);
  };
  await expectNothingLeft('after forget');

  for (const sources of ['all', 'fresh']) {
    const again = await crawl(sources);
    // Unchanged sources are skipped; sources that are read again skip both domains.
    const listSources = again.sources.filter(({ type }) => type === 'file' || type === 'json');
    expect(listSources.map(({ entered }) => entered)).toEqual([0, 0]);
    // Both lists name the opted-out source, and the opted-out server in three ways: alone, with www and with another port.
    if (sources === 'fresh') expect(listSources.map(({ optedOut }) => optedOut)).toEqual([4, 4]);
    expect(again.stderr + withoutSettings(again.stdout)).not.toContain(OPTED_OUT);
    await expectNothingLeft(`after a run of ${sources} sources`);
  }

  await using service = await startService(['--config', home.settingsFile]);
  const { url } = service.endpoints;
  await service.waitForLog(({ msg }) => msg === 'export');
  const pages = ['/', '/stats', '/crawler', '/about', '/api', '/openapi.json', '/metrics', '/health'];
  const lists = ['instances?limit=500', 'changes?limit=500', 'stats', 'software', 'versions'].map(
    (path) => `/api/v1/${path}`,
  );
  for (const path of [...pages, ...lists]) {
    const answer = await fetch(new URL(path, url));
    expect(answer.status, path).toBe(200);
    const text = await answer.text();
    for (const name of [OPTED_OUT, OPTED_OUT_SOURCE]) expect(text, path).not.toContain(name);
  }
  // A request for the domain is answered like one for any unlisted domain.
  for (const queried of [OPTED_OUT, withPort(OPTED_OUT), withPort(www), withPort(OPTED_OUT_SOURCE)]) {
    const answer = await fetch(new URL(`/api/v1/domains/${queried}`, url));
    expect([answer.status, await answer.text()]).toEqual([404, expect.not.stringContaining('Home of')]);
  }
  const stats = await fetch(new URL('/api/v1/stats', url));
  expect(await stats.json()).toMatchObject({ optOuts: 2 });
  expect((await fetch(new URL(`/api/v1/instances/${withPort(OPTED_OUT)}`, url))).status).toBe(404);
  await service.end('SIGTERM');
  const log = [...service.log.map((line) => JSON.stringify(line)), ...service.otherOutput].join('\n');
  expect(log.length).toBeGreaterThan(100);
  for (const name of [OPTED_OUT, OPTED_OUT_SOURCE]) expect(log).not.toContain(name);
  await expectNothingLeft('after a service run');
});

/** Known domains whose name ends with this one, with or without a port. */
function knownDomains(path: string, name: string): string[] {
  const database = new Database(path, { readonly: true });
  try {
    const domains = database.prepare('select domain from domains order by domain').pluck().all() as string[];
    return domains.filter((domain) => domain.split(':')[0]?.endsWith(name));
  } finally {
    database.close();
  }
}

/** Database columns that contain the name. */
function columnsWith(path: string, name: string): string[] {
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

/** Exported files whose parsed content contains the name. */
async function exportsWith(dir: string, name: string): Promise<string[]> {
  const { json, rows, xml, text } = await readStrictly(dir);
  const parsedFiles: [string, unknown][] = [json, rows, xml, text].flatMap(
    (files) => [...files] as [string, unknown][],
  );
  const textOf = (value: unknown) =>
    JSON.stringify(value, (_key, part) => (typeof part === 'bigint' ? String(part) : part));
  return parsedFiles.filter(([, value]) => textOf(value).includes(name)).map(([file]) => file);
}

/**
 * Files of a folder that contain the name, each with the number of occurrences. The settings and the list are left out, because
 * the operator wrote them.
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

/** A report without its sources, whose names come from the settings. */
function withoutSettings(report: string): string {
  return JSON.stringify({ ...JSON.parse(report), sources: [] });
}
