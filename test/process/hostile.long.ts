import { appendFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ChangeLine } from '../../src/directory/schema/change-line.ts';
import type { DomainLine } from '../../src/directory/schema/domain-line.ts';
import type { InstancesFile, InstancesMinFile } from '../../src/directory/schema/instances-file.ts';
import type { StatsFile } from '../../src/directory/schema/stats-file.ts';
import { joinItems, splitItems } from '../../src/export/tables/list-cell.ts';
import { readInstances } from '../../src/index.ts';
import { createFleet, type Fleet, type HostRow } from '../../src/reference/index.ts';
import { runCommand } from '../commands/run-command.ts';
import { manifestFaults } from '../export/export-folder.ts';
import { hostileDomains, hostilePayloads } from '../export/hostile-payloads.ts';
import { elementsOf, textOf } from '../export/parse-xml.ts';
import { type ParsedExport, readStrictly } from '../export/read-strictly.ts';
import { createFleetHome, type FleetHome } from './fleet-home.ts';
import { type StartedCli, startCli } from './start-cli.ts';

const maxInteger = Number.MAX_SAFE_INTEGER;
const hostName = (index: number) => `h${String(index).padStart(2, '0')}.hostile.example`;
const megabyte = 'm'.repeat(1_000_000);

/**
 * Puts the payload into every text that an instance publishes. Repeated texts are cut so that a document stays under the size
 * limit.
 */
function configWithPayload(sent: string): Pick<HostRow, 'config' | 'nodeInfo' | 'usage'> {
  const short = sent.slice(0, 10_000);
  return {
    config: {
      app: { name: sent, description: short, version: short },
      registration_mode: short,
      media: { allowed_video_formats: [short, 'mp4'] },
    },
    nodeInfo: { metadata: { nodeName: short, nodeDescription: short } },
    usage: {
      users: { total: maxInteger, activeMonth: maxInteger, activeHalfyear: maxInteger },
      localPosts: maxInteger,
    },
  };
}

const rows: HostRow[] = [
  ...hostilePayloads.map(({ sent }, index) => ({ name: hostName(index), ...configWithPayload(sent) })),
  ...hostilePayloads.map(({ sent }, index) => ({
    name: `other-${hostName(index)}`,
    config: { app: { software: sent.slice(0, 10_000), version: sent.slice(0, 10_000) } },
  })),
  { name: 'megabyte.example', config: { app: { name: megabyte } } },
  { name: 'megabyte-config.example', config: { app: { name: megabyte } }, nodeInfo: { metadata: { nodeName: 'x' } } },
];

let fleet: Fleet;
let home: FleetHome;
let exported: ParsedExport;
const crawl = (...domains: string[]) => runCommand(['crawl', '--json', '--config', home.settingsFile, ...domains]);

beforeAll(async () => {
  fleet = await createFleet({ file: { hosts: rows }, log: false });
  home = createFleetHome(fleet);
  appendFileSync(join(home.folder, 'seeds.txt'), `${hostileDomains.join('\n')}\n`);
  const first = await crawl();
  expect(first.code, first.stderr).toBe(0);

  // Each host now publishes the payload of the next one, so a change record contains both.
  const loops = hostilePayloads.map((_payload, index) => `${hostName(index)}:${fleet.port}`);
  for (const [index, domain] of loops.entries()) {
    const state = fleet.stateOf(domain);
    const { sent = '' } = hostilePayloads[(index + 1) % hostilePayloads.length] ?? {};
    const { config } = configWithPayload(sent);
    Object.assign(state?.config.app ?? {}, config?.app);
    Object.assign(state?.config ?? {}, { registration_mode: config?.registration_mode });
  }
  const second = await crawl(...loops);
  expect(second.code, second.stderr).toBe(0);
  exported = await readStrictly(home.exportDir);
}, 120_000);

afterAll(async () => {
  home[Symbol.dispose]();
  await fleet.close();
});

const domainOf = (index: number) => `${hostName(index)}:${fleet.port}`;
/** The payload that host `index` has as its name at the first crawl. At the second crawl it has that of `index + 1`. */
const payloadOf = (index: number) => hostilePayloads[index % hostilePayloads.length] ?? expect.unreachable();
/** The name after the second crawl: an empty one counts as not given, so that of NodeInfo, still as at the first crawl, stands for it. */
const nameOf = (index: number) => payloadOf(index + 1).text || payloadOf(index).text || null;
describe('text from hostile servers', () => {
  test('creates no file outside the manifest, and the manifest still verifies', async () => {
    expect(await manifestFaults(home.exportDir)).toEqual([]);
    expect(readdirSync(home.folder).sort()).toEqual(['data', 'export', 'seeds.txt', 'settings.json']);
    expect(readdirSync(join(home.folder, 'data')).filter((name) => !name.startsWith('test.sqlite'))).toEqual([]);
  });

  test('is cleaned in instances.json, for every payload', async () => {
    const { instances } = exported.json.get('instances.json') as InstancesFile;
    const byDomain = new Map(instances.map((entry) => [entry.domain, entry]));
    for (const index of hostilePayloads.keys()) {
      const { name, text, identifier } = payloadOf(index + 1);
      const entry = byDomain.get(domainOf(index));
      expect(entry, name).toMatchObject({
        name: nameOf(index),
        software: 'loops',
        registration: { mode: identifier },
        limits: { videoFormats: [payloadOf(index).identifier, 'mp4'] },
        usage: { users: maxInteger, posts: maxInteger },
      });
      expect((entry?.description ?? '').startsWith(text), name).toBe(true);
      expect(entry?.version?.startsWith(identifier), name).toBe(true);
    }
    expect((await readInstances(join(home.exportDir, 'instances.json'))).instances).toEqual(instances);
  });

  test('is cleaned to an identifier in domains.ndjson when it is a software name', () => {
    const lines = exported.rows.get('domains.ndjson') as unknown as DomainLine[];
    const byDomain = new Map(lines.map((line) => [line.domain, line]));
    for (const index of hostilePayloads.keys()) {
      const line = byDomain.get(`other-${domainOf(index)}`);
      const { name, identifier } = payloadOf(index);
      expect(line, name).toMatchObject({ verdict: 'other' });
      expect(line?.software?.startsWith(identifier), name).toBe(true);
    }
  });

  test('is dropped when it is a megabyte long', () => {
    const { instances } = exported.json.get('instances.json') as InstancesFile;
    const named = instances.filter(({ domain }) => domain.startsWith('megabyte'));
    expect(named.map(({ domain, name }) => [domain, name])).toEqual([[`megabyte-config.example:${fleet.port}`, 'x']]);
    for (const [name, text] of exported.text) expect(text.includes('mmmm'), name).toBe(false);
  });

  test('adds no domain that is a path, a spreadsheet cell or markup', () => {
    const lines = exported.rows.get('domains.ndjson') as unknown as DomainLine[];
    const plain = /^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z]+(?::\d+)?$/;
    expect(lines.map(({ domain }) => domain).filter((domain) => !plain.test(domain))).toEqual([]);
  });
});

describe('after a crawl of hostile servers,', () => {
  const listed = () => (exported.json.get('instances.json') as InstancesFile).instances;
  const rowsOf = (name: string) => exported.rows.get(name) ?? expect.unreachable(`there is no ${name}`);
  /** A cell without the leading apostrophe that keeps a spreadsheet from evaluating it. */
  const withoutApostrophe = (cell: unknown) => String(cell).replace(/^'/, '');

  test('instances.csv has the texts of instances.json, in cells that a spreadsheet does not evaluate', () => {
    const cells = rowsOf('instances.csv');
    expect(cells.map(({ domain }) => domain)).toEqual(listed().map(({ domain }) => domain));
    for (const [index, entry] of listed().entries()) {
      const row = cells[index] ?? {};
      expect(withoutApostrophe(row.name)).toBe(entry.name ?? '');
      expect(withoutApostrophe(row.description)).toBe(entry.description ?? '');
      expect(withoutApostrophe(row.version)).toBe(entry.version ?? '');
      expect(withoutApostrophe(row.registration_mode)).toBe(entry.registration.mode ?? '');
      const { limits_videoFormats: formats } = row;
      expect(formats === '' ? null : splitItems(withoutApostrophe(formats))).toEqual(entry.limits.videoFormats);
      expect(Number(row.usage_users)).toBe(entry.usage.users);
    }
  });

  test('instances.min.json and domains.txt list the same instances', () => {
    const { instances } = exported.json.get('instances.min.json') as InstancesMinFile;
    const fieldsOf = ({ domain, name, version }: { domain: string; name: string | null; version: string | null }) => [
      domain,
      name,
      version,
    ];
    expect(instances.map(fieldsOf)).toEqual(listed().map(fieldsOf));
    expect(exported.text.get('domains.txt')).toBe(
      listed()
        .map(({ domain }) => `${domain}\n`)
        .join(''),
    );
  });

  test('changes have the old and the new value in NDJSON, CSV and Parquet', () => {
    const lines = rowsOf('changes.ndjson') as unknown as ChangeLine[];
    for (const index of hostilePayloads.keys()) {
      const { name, text } = payloadOf(index);
      const [before, after] = [text || null, nameOf(index)];
      const renamed = lines.find(
        ({ domain, field, cause }) => domain === domainOf(index) && field === 'name' && cause !== 'first',
      );
      if (before === after) expect(renamed, name).toBeUndefined();
      else expect(renamed, name).toMatchObject({ before, after });
    }
    const textOf = (value: ChangeLine['after']) =>
      value === null ? '' : Array.isArray(value) ? joinItems(value) : String(value);
    // The Parquet reader drops a byte order mark at the start of a text.
    const parquetTextOf = (value: ChangeLine['after']) => textOf(value).replace(/^\ufeff/, '');
    const cellsOf = (name: string, cell: (value: unknown) => string) =>
      rowsOf(name).map(({ domain, field, before, after }) => [domain, field, cell(before), cell(after)]);
    const expected = (text: typeof textOf) =>
      lines.map(({ domain, field, before, after }) => [domain, field, text(before), text(after)]);
    expect(cellsOf('changes.csv', withoutApostrophe)).toEqual(expected(textOf));
    expect(cellsOf('changes.parquet', (value) => String(value ?? ''))).toEqual(expected(parquetTextOf));
  });

  test('visits keep hostile software names, and usage the largest numbers', () => {
    for (const format of ['csv.gz', 'parquet']) {
      const visits = exported.names
        .filter((name) => name.startsWith('visits/') && name.endsWith(format))
        .flatMap(rowsOf);
      for (const index of hostilePayloads.keys()) {
        const visit = visits.find(({ domain }) => domain === `other-${domainOf(index)}`);
        const software = format === 'parquet' ? String(visit?.software) : withoutApostrophe(visit?.software);
        // The Parquet reader drops a byte order mark at the start of a text.
        const expected =
          format === 'parquet' ? payloadOf(index).identifier.replace(/^\ufeff/, '') : payloadOf(index).identifier;
        expect(software.startsWith(expected), `${format}: ${payloadOf(index).name}`).toBe(true);
      }
      const usage = exported.names.filter((name) => name.startsWith('usage/') && name.endsWith(format)).flatMap(rowsOf);
      const users = usage
        .filter(({ domain }) => /^h\d/.test(String(domain)))
        .map((row) => BigInt(row.users as string | bigint));
      expect(users).toEqual(hostilePayloads.map(() => BigInt(maxInteger)));
    }
  });

  test('stats count versions by name', () => {
    const point = (exported.json.get('stats.json') as StatsFile).points.at(-1) ?? expect.unreachable();
    const { commonest, others, reporting } = point.versions;
    expect(commonest.reduce((sum, { instances }) => sum + instances, others)).toBe(reporting);
    expect(reporting).toBe(listed().filter(({ version }) => version !== null).length);
    for (const { name, instances } of commonest) {
      expect(listed().filter(({ version }) => version === name)).toHaveLength(instances);
    }
  });

  test('the feed is valid XML with the names as text', () => {
    const feed = exported.xml.get('feed.atom') ?? expect.unreachable();
    const entries = elementsOf(feed, 'entry');
    expect(entries.length).toBeGreaterThan(50);
    const entriesByTitle = new Map(entries.map((entry) => [textOf(elementsOf(entry, 'title')[0] ?? entry), entry]));
    let compared = 0;
    for (const index of hostilePayloads.keys()) {
      const entry = entriesByTitle.get(`New: ${domainOf(index)}`);
      if (entry === undefined) continue;
      compared += 1;
      // An entry has the name that the last crawl found.
      const expectedText = payloadOf(index + 1).text.replace(/[\ufffe\uffff]/g, '\ufffd');
      expect(textOf(elementsOf(entry, 'content')[0] ?? entry).startsWith(expectedText), payloadOf(index).name).toBe(
        true,
      );
      for (const { attributes } of elementsOf(entry, 'link'))
        expect(attributes.href).toBe(`https://${domainOf(index)}`);
    }
    expect(compared).toBeGreaterThan(30);
  });

  test('a compressed file has the same text as the plain file', () => {
    const siblings = exported.names.filter(
      (name) => name.endsWith('.gz') && exported.names.includes(name.slice(0, -3)),
    );
    expect(siblings.length).toBeGreaterThan(5);
    for (const name of siblings)
      expect(exported.text.get(name) === exported.text.get(name.slice(0, -3)), name).toBe(true);
  });
});

describe('in the API, after a crawl of hostile servers,', () => {
  const unsafe = /(?!\n)[\p{Cc}\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;
  let api: StartedCli;
  let url: string;
  beforeAll(async () => {
    const settings = ['--set', 'serve.port=0', '--set', 'serve.ratePerMinute=0'];
    api = await startCli(['serve', '--json', '--config', home.settingsFile, ...settings]);
    url = JSON.parse(api.text).url;
  });
  afterAll(() => api[Symbol.asyncDispose]());

  /** Requests a path and checks what every response must satisfy. */
  async function request(path: string): Promise<{ status: number; type: string; text: string }> {
    const response = await fetch(url + path);
    const text = new TextDecoder('utf-8', { fatal: true }).decode(await response.arrayBuffer());
    const type = response.headers.get('content-type') ?? '';
    expect(response.status, `${path}: ${text}`).toBeLessThan(500);
    expect(response.headers.get('x-content-type-options'), path).toBe('nosniff');
    expect(response.headers.get('set-cookie'), path).toBeNull();
    expect(unsafe.exec(text), path).toBeNull();
    if (type.startsWith('text/html')) expect(text, path).not.toMatch(/onerror=|<script(?![^>]* src=)/);
    else if (!type.startsWith('text/plain')) expect(() => JSON.parse(text), path).not.toThrow();
    return { status: response.status, type, text };
  }
  const json = async (path: string) => JSON.parse((await request(path)).text);

  test('the list and each instance match the export', async () => {
    const { instances } = exported.json.get('instances.json') as InstancesFile;
    const listed = (await json('/api/v1/instances?limit=500')).instances as InstancesFile['instances'];
    const names = (entries: typeof instances) => entries.map(({ domain, name, version }) => [domain, name, version]);
    expect(names(listed)).toEqual(names(instances));
    for (const index of hostilePayloads.keys()) {
      const domain = encodeURIComponent(domainOf(index));
      expect(await json(`/api/v1/instances/${domain}`)).toMatchObject({ name: nameOf(index) });
      const { changes } = await json(`/api/v1/instances/${domain}/history`);
      const renamed = changes.find(({ field, cause }: ChangeLine) => field === 'name' && cause !== 'first');
      const before = payloadOf(index).text || null;
      if (before !== nameOf(index)) expect(renamed).toMatchObject({ before });
      await json(`/api/v1/domains/${domain}`);
      await json(`/api/v1/domains/${encodeURIComponent(`other-${domainOf(index)}`)}`);
    }
  });

  test('versions and software are counted by name', async () => {
    const { versions, unknown } = await json('/api/v1/versions');
    const { instances } = exported.json.get('instances.json') as InstancesFile;
    for (const { version, instances: count } of versions) {
      expect(
        instances.filter((entry) => entry.version === version),
        version,
      ).toHaveLength(count);
    }
    expect(instances.filter(({ version }) => version === null)).toHaveLength(unknown);
    const { software } = await json('/api/v1/software');
    const names = software.map(({ name }: { name: string }) => name);
    expect(names).toEqual(expect.arrayContaining(['__proto__', 'constructor', 'toString']));
    await json('/api/v1/stats');
    await json('/api/v1/changes?limit=500');
  });

  test.each(hostilePayloads)(
    'the parameter $name is refused or searched for, and not echoed unescaped',
    async ({ sent }) => {
      // URLs beyond the server's length limit are tested elsewhere.
      const value = encodeURIComponent(sent.slice(0, 1_000).toWellFormed());
      for (const path of [
        `/api/v1/instances/${value}`,
        `/api/v1/domains/${value}`,
        `/api/v1/instances/${value}/history`,
        `/api/v1/instances?version=${value}`,
        `/api/v1/instances?cursor=${value}`,
        `/api/v1/instances?sort=${value}`,
        `/api/v1/instances?${value}=1`,
        `/api/v1/changes?cursor=${value}`,
        `/${value}`,
      ]) {
        const { type } = await request(path);
        expect(type, path).toMatch(/^application\/(?:problem\+)?json|^text\/html/);
      }
    },
  );

  test('the pages contain nothing a browser would run, and the metrics have only valid lines', async () => {
    for (const path of ['/about', '/api', '/openapi.json', '/health'])
      expect((await request(path)).status, path).toBe(200);
    const { text } = await request('/metrics');
    const metricLine =
      /^(?:# (?:HELP|TYPE) [a-z_]+ .*|[a-z_]+(?:\{(?:[a-z_]+="[^"\\\n]*",?)*\})? (?:-?[\d.]+(?:e[+-]?\d+)?|NaN|\+Inf))$/;
    expect(text.split('\n').filter((line) => line !== '' && !metricLine.test(line))).toEqual([]);
  });
});
