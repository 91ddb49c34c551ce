import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect } from 'vitest';
import { createFleet, type FleetFile, type HostRow, kinds } from '../../src/reference/index.ts';
import { createFleetHome } from './fleet-home.ts';
import { runCli } from './run-cli.ts';

const byConfig = {
  verdict: 'loops',
  reason: 'config-software',
  via: 'config',
  software: 'loops',
  version: '1.0.0-beta.14',
} as const;
const byNodeInfo = { ...byConfig, reason: 'nodeinfo-software', via: 'nodeinfo' } as const;
const without = (verdict: 'unreachable' | 'unidentified' | 'declined', reason: string) => {
  return { verdict, reason, via: null, software: null, version: null } as const;
};
const probes = ['/api/*', '/.well-known/*', '/nodeinfo/*'];

/** Rows with faults of their own, on one route or on several, over what their kinds already are. */
const rows: HostRow[] = [
  { faults: [{ route: '/nodeinfo/*', fault: 'truncated' }], expect: byConfig },
  { faults: [{ route: '/nodeinfo/*', fault: 'deep-json', depth: 100_000 }], expect: byConfig },
  { faults: [{ route: '/.well-known/nodeinfo', fault: 'gzip-bomb' }], expect: byConfig },
  { faults: [{ route: '/.well-known/nodeinfo', fault: 'rate-limited', retryAfter: 'huge' }], expect: byConfig },
  { faults: [{ route: '/api/v1/config', fault: 'server-error', status: 503, times: 1 }], expect: byConfig },
  { faults: [{ route: '/api/v1/config', fault: 'large-body', bytes: 3_000_000 }], expect: byNodeInfo },
  { faults: [{ route: '/api/v1/config', fault: 'status', status: 403, body: '{"app":{}}' }], expect: byNodeInfo },
  { faults: [{ route: '/api/v1/config', fault: 'gzip' }], delayMs: [0, 20], expect: byConfig },
  { faults: [{ route: '/api/v1/config', fault: 'content-type', value: 'image/png' }], expect: byConfig },
  { faults: [{ route: '*', fault: 'delay', ms: [0, 60], probability: 0.5 }], expect: byConfig },
  { faults: [{ route: '/robots.txt', fault: 'redirect', to: 'loop' }], expect: byConfig },
  { faults: [{ route: '/robots.txt', fault: 'status', status: 429 }], expect: without('declined', 'rate-limited') },
  { faults: [{ route: '/robots.txt', fault: 'not-http' }], expect: without('unreachable', 'robots-unreachable') },
  {
    faults: probes.map((route) => ({ route, fault: 'unfinished-chunks' })),
    expect: without('unreachable', 'connection-reset'),
  },
  {
    faults: probes.map((route) => ({ route, fault: 'server-error', status: 504 })),
    expect: without('unreachable', 'http-5xx'),
  },
  {
    faults: probes.map((route) => ({ route, fault: 'redirect', to: 'http' })),
    expect: without('unidentified', 'redirect-refused'),
  },
  { config: { app: { version: '2.0.0' } }, profile: 'live', expect: { ...byConfig, version: '2.0.0' } },
  { nodeInfo: { software: { name: 'mastodon' } }, expect: byConfig },
  { kind: 'mastodon', certificate: 'expired', expect: without('unreachable', 'tls-expired') },
  { kind: 'mastodon', protocol: 'TLSv1', expect: without('unreachable', 'tls-failed') },
  { kind: 'mastodon', dns: 'servfail', expect: without('unreachable', 'dns-servfail') },
  { kind: 'pixelfed', connection: 'not-tls', expect: without('unreachable', 'tls-failed') },
  {
    kind: 'mastodon',
    faults: [{ route: '/api/v1/config', fault: 'redirect', to: 'https://127.0.0.1/' }],
    expect: { ...byNodeInfo, verdict: 'other', software: 'mastodon', version: '4.5.2' },
  },
];

/** A fleet file of so many hosts: every kind, and rows with faults of their own, in about equal parts. */
export function manySorts(hosts: number, { timeouts = false } = {}): FleetFile {
  const sorts: HostRow[] = [...kinds.filter(({ weight }) => weight !== 0).map(({ name }) => ({ kind: name })), ...rows];
  const slow: HostRow[] = timeouts
    ? kinds.filter(({ weight }) => weight === 0).map(({ name }) => ({ kind: name, count: 1 }))
    : [];
  const share = Math.floor((hosts - slow.length) / sorts.length);
  const rest = hosts - slow.length - share * sorts.length;
  return {
    seed: 3,
    hosts: [...slow, ...sorts.map((row, index) => ({ ...row, count: share + (index < rest ? 1 : 0) }))],
  };
}

/**
 * Crawls the fleet of a file with the whole product, in a process of its own, and asserts that it finds of every host what the
 * file predicts. Returns how long the fleet took to start.
 */
export async function crawlPredicted(file: FleetFile, hosts: number): Promise<{ startMs: number; crawlMs: number }> {
  const startedAt = performance.now();
  await using fleet = await createFleet({ file, log: false });
  const startMs = performance.now() - startedAt;
  expect(fleet.hosts).toHaveLength(hosts);
  using home = createFleetHome(fleet);
  writeFileSync(join(home.folder, 'fleet.json'), JSON.stringify(file));
  const { code, stderr, ms } = await runCli(['crawl', '--json', '--config', home.settingsFile]);
  expect(code, stderr).toBe(0);
  const found = readVisits(home.database);
  const surprises = fleet.hosts.flatMap(({ domain, row, expect: expected }) => {
    if (expected === null) return [`${domain}: nothing is predicted of ${JSON.stringify(row)}`];
    const visit = found.get(domain);
    const { aliasOf = null, ...rest } = expected;
    const wanted = { ...rest, aliasOf, reason: expected.reason ?? visit?.reason };
    return isSame(visit, wanted) ? [] : [`${JSON.stringify(row)}: ${JSON.stringify(visit)}`];
  });
  expect(surprises).toEqual([]);
  return { startMs, crawlMs: ms };
}

function readVisits(path: string): Map<string, Record<string, unknown>> {
  const database = new Database(path, { readonly: true });
  try {
    const visits = database
      .prepare(
        `select d.domain, v.verdict, v.reason, v.via, v.software, v.version, v.alias_of as aliasOf
         from visits v join domains d on d.id = v.domain_id`,
      )
      .all() as { domain: string }[];
    return new Map(visits.map(({ domain, ...visit }) => [domain, visit]));
  } finally {
    database.close();
  }
}

function isSame(found: Record<string, unknown> | undefined, wanted: Record<string, unknown>): boolean {
  return found !== undefined && Object.entries(wanted).every(([key, value]) => found[key] === value);
}
