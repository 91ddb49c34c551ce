import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect } from 'vitest';
import { createFleet, type FleetFile, type HostRow, kinds } from '../../src/reference/index.ts';
import { createFleetHome } from './fleet-home.ts';
import { runCli } from './run-cli.ts';

const identifiedByConfig = {
  verdict: 'loops',
  reason: 'config-software',
  via: 'config',
  software: 'loops',
  version: '1.0.0-beta.14',
} as const;
const identifiedByNodeInfo = { ...identifiedByConfig, reason: 'nodeinfo-software', via: 'nodeinfo' } as const;
const notIdentified = (verdict: 'unreachable' | 'unidentified' | 'declined', reason: string) => {
  return { verdict, reason, via: null, software: null, version: null } as const;
};
const probeRoutes = ['/api/*', '/.well-known/*', '/nodeinfo/*'];

/** Rows that differ from the kinds of hosts, mostly by faults. */
const rows: HostRow[] = [
  { faults: [{ route: '/nodeinfo/*', fault: 'truncated' }], expect: identifiedByConfig },
  { faults: [{ route: '/nodeinfo/*', fault: 'deep-json', depth: 100_000 }], expect: identifiedByConfig },
  { faults: [{ route: '/.well-known/nodeinfo', fault: 'gzip-bomb' }], expect: identifiedByConfig },
  {
    faults: [{ route: '/.well-known/nodeinfo', fault: 'rate-limited', retryAfter: 'huge' }],
    expect: identifiedByConfig,
  },
  { faults: [{ route: '/api/v1/config', fault: 'server-error', status: 503, times: 1 }], expect: identifiedByConfig },
  { faults: [{ route: '/api/v1/config', fault: 'large-body', bytes: 3_000_000 }], expect: identifiedByNodeInfo },
  {
    faults: [{ route: '/api/v1/config', fault: 'status', status: 403, body: '{"app":{}}' }],
    expect: identifiedByNodeInfo,
  },
  { faults: [{ route: '/api/v1/config', fault: 'gzip' }], delayMs: [0, 20], expect: identifiedByConfig },
  { faults: [{ route: '/api/v1/config', fault: 'content-type', value: 'image/png' }], expect: identifiedByConfig },
  { faults: [{ route: '*', fault: 'delay', ms: [0, 60], probability: 0.5 }], expect: identifiedByConfig },
  { faults: [{ route: '/robots.txt', fault: 'redirect', to: 'loop' }], expect: identifiedByConfig },
  {
    faults: [{ route: '/robots.txt', fault: 'status', status: 429 }],
    expect: notIdentified('declined', 'rate-limited'),
  },
  { faults: [{ route: '/robots.txt', fault: 'not-http' }], expect: notIdentified('unreachable', 'robots-unreachable') },
  {
    faults: probeRoutes.map((route) => ({ route, fault: 'unfinished-chunks' })),
    expect: notIdentified('unreachable', 'connection-reset'),
  },
  {
    faults: probeRoutes.map((route) => ({ route, fault: 'server-error', status: 504 })),
    expect: notIdentified('unreachable', 'http-5xx'),
  },
  {
    faults: probeRoutes.map((route) => ({ route, fault: 'redirect', to: 'http' })),
    expect: notIdentified('unidentified', 'redirect-refused'),
  },
  { config: { app: { version: '2.0.0' } }, profile: 'live', expect: { ...identifiedByConfig, version: '2.0.0' } },
  { nodeInfo: { software: { name: 'mastodon' } }, expect: identifiedByConfig },
  { kind: 'mastodon', certificate: 'expired', expect: notIdentified('unreachable', 'tls-expired') },
  { kind: 'mastodon', protocol: 'TLSv1', expect: notIdentified('unreachable', 'tls-failed') },
  { kind: 'mastodon', dns: 'servfail', expect: notIdentified('unreachable', 'dns-servfail') },
  { kind: 'pixelfed', connection: 'not-tls', expect: notIdentified('unreachable', 'tls-failed') },
  {
    kind: 'mastodon',
    faults: [{ route: '/api/v1/config', fault: 'redirect', to: 'https://127.0.0.1/' }],
    expect: { ...identifiedByNodeInfo, verdict: 'other', software: 'mastodon', version: '4.5.2' },
  },
];

/**
 * A fleet file with this many hosts: every kind and every row of `rows`, in about equal parts. Of the kinds that make a visit time
 * out (weight 0) it has one host each if `timeouts`, otherwise none.
 */
export function mixedFleet(hosts: number, { timeouts = false } = {}): FleetFile {
  const variants: HostRow[] = [
    ...kinds.filter(({ weight }) => weight !== 0).map(({ name }) => ({ kind: name })),
    ...rows,
  ];
  const slow: HostRow[] = timeouts
    ? kinds.filter(({ weight }) => weight === 0).map(({ name }) => ({ kind: name, count: 1 }))
    : [];
  const share = Math.floor((hosts - slow.length) / variants.length);
  const remainder = hosts - slow.length - share * variants.length;
  return {
    seed: 3,
    hosts: [...slow, ...variants.map((row, index) => ({ ...row, count: share + (index < remainder ? 1 : 0) }))],
  };
}

/** Starts the fleet of a file, crawls it in a separate process, and asserts that every host gets its predicted result. */
export async function crawlPredicted(file: FleetFile, hosts: number): Promise<void> {
  await using fleet = await createFleet({ file, log: false });
  expect(fleet.hosts).toHaveLength(hosts);
  // The name server of the fleet shares this process, which a busy machine may stop for seconds.
  using home = createFleetHome(fleet, { network: { dnsTimeoutMs: 15_000 } });
  writeFileSync(join(home.folder, 'fleet.json'), JSON.stringify(file));
  const { code, stderr } = await runCli(['crawl', '--json', '--config', home.settingsFile]);
  expect(code, stderr).toBe(0);
  const found = readVisits(home.database);
  const mismatches = fleet.hosts.flatMap(({ domain, row, expect: expected }) => {
    if (expected === null) return [`${domain}: no prediction for ${JSON.stringify(row)}`];
    const visit = found.get(domain);
    const { aliasOf = null, ...otherFields } = expected;
    const prediction = { ...otherFields, aliasOf, reason: expected.reason ?? visit?.reason };
    return isSame(visit, prediction) ? [] : [`${JSON.stringify(row)}: ${JSON.stringify(visit)}`];
  });
  expect(mismatches).toEqual([]);
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

function isSame(found: Record<string, unknown> | undefined, prediction: Record<string, unknown>): boolean {
  return found !== undefined && Object.entries(prediction).every(([key, value]) => found[key] === value);
}
