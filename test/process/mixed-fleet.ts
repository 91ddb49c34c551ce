import { type FleetFile, type HostRow, kinds } from '../../src/reference/index.ts';

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
