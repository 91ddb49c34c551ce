import { createSecureContext } from 'node:tls';
import { describe, expect, it, test } from 'vitest';
import { afterVisit } from '../../src/crawl/schedule/after-visit.ts';
import { identify } from '../../src/identify/identify.ts';
import { createVisitBuilder } from '../../src/identify/visit-builder.ts';
import type { HostFacts } from '../../src/model/facts/host-facts.ts';
import { createReferenceServer, type FaultRule, type ReferenceServer } from '../../src/reference/index.ts';
import { openStore } from '../../src/store/open-store.ts';
import { standardPolicy } from '../crawl/schedule/standard-policy.ts';
import { HOST, openClient } from '../http/loopback.ts';
import { scratchPath } from '../store/scratch.ts';
import { CONFIG, DISCOVERY, domainOf } from './scripted-visit.ts';
import { visitContext } from './visit-context.ts';

const NODEINFO = '/nodeinfo/2.0';
const ROBOTS = '/robots.txt';
const NAMES_LOOPSCOUT = 'User-agent: Loopscout\nDisallow: /\n';
const NAMES_ANOTHER = 'User-agent: otherbot\nDisallow: /\n';

/** A reference server, and a function that visits it, records the visit and returns the stored facts. */
async function startHost() {
  const server = await createReferenceServer({ tls: true, url: `https://${HOST}`, robots: NAMES_ANOTHER });
  const store = await openStore({ path: scratchPath() });
  const reader = store.reader();
  const domain = domainOf(`${HOST}:${server.port}`);
  server.state.url = `https://${domain}`;
  server.state.config.app.url = `https://${domain}`;
  const secureContext = createSecureContext({ ca: server.caPem ?? '' });
  let at = Date.UTC(2026, 7, 1);
  const visit = async (...faults: FaultRule[]): Promise<HostFacts> => {
    server.state.faults = faults;
    at += 7 * 3_600_000;
    const started = at;
    const client = openClient({ secureContext, responseMs: 100, visitMs: 10_000 });
    const visited = await identify(
      createVisitBuilder(
        domain,
        () => started,
        () => performance.now(),
      ),
      client,
      visitContext({ now: () => started }),
    );
    store.domains.requestVisit([domain], started);
    const [picked] = store.due.pick(1, started, [domain]);
    if (picked === undefined) throw new Error(`${domain} is not due`);
    const after = afterVisit(picked.record, visited, started, 0.5, standardPolicy);
    store.visits.record([{ picked, visit: visited, after }]);
    const record = reader.domains.find(domain);
    if (record === null) throw new Error(`${domain} is not known`);
    return record.host;
  };
  return {
    server,
    visit,
    async [Symbol.asyncDispose]() {
      reader[Symbol.dispose]();
      await store[Symbol.asyncDispose]();
      await server.close();
    },
  };
}

/** Faults of a document; the last two concern the document that leads to it. */
const faultsOf = (route: string, previousRoute = route): FaultRule[] => [
  { route, fault: 'server-error', status: 500 },
  { route, fault: 'invalid-json', how: 'html' },
  { route, fault: 'rate-limited' },
  { route, fault: 'stall', at: 'before-headers' },
  { route, fault: 'truncated' },
  { route: previousRoute, fault: 'status', status: 404 },
  { route: previousRoute, fault: 'server-error', status: 503 },
];
const NODEINFO_FAULTS = faultsOf(NODEINFO, DISCOVERY);

/** A response with the document and the header that asks not to be published. */
const withHeader = (route: string, document: object, status = 200): FaultRule => ({
  route,
  fault: 'status',
  status,
  body: JSON.stringify(document),
  headers: { 'x-robots-tag': 'noindex', 'content-type': 'application/json' },
});
const configWithHeader = ({ state }: ReferenceServer) => withHeader(CONFIG, state.config);
const nodeInfo = { version: '2.0', software: { name: 'loops', version: '1.0.0' }, metadata: {} };

/** A way to request that a host is not published. */
interface Signal {
  /** Changes the state of the server, or returns the faults with which it responds from then on. */
  set: (server: ReferenceServer) => FaultRule[];
  /** Restores the state of the server. */
  clear: (server: ReferenceServer) => void;
  /** The faults of the document with the signal, unless {@link NODEINFO_FAULTS} has them. */
  faults: FaultRule[];
}
const unchanged = () => undefined;
const SIGNALS: [name: string, signal: Signal][] = [
  ['config-header', { set: (server) => [configWithHeader(server)], clear: unchanged, faults: faultsOf(CONFIG) }],
  ['nodeinfo-header', { set: () => [withHeader(NODEINFO, nodeInfo)], clear: unchanged, faults: [] }],
  [
    'config-error-header',
    { set: () => [withHeader(CONFIG, {}, 404)], clear: unchanged, faults: [{ route: CONFIG, fault: 'server-error' }] },
  ],
  [
    'robots',
    {
      set: ({ state }) => {
        state.robots = NAMES_LOOPSCOUT;
        return [];
      },
      clear: ({ state }) => {
        state.robots = NAMES_ANOTHER;
      },
      faults: [
        ...faultsOf(ROBOTS),
        { route: ROBOTS, fault: 'status', status: 200, body: '<!doctype html><title>Just a moment...</title>' },
        { route: ROBOTS, fault: 'status', status: 200, body: '{"error":"busy"}' },
        { route: ROBOTS, fault: 'status', status: 200, body: `${'# x\n'.repeat(140_000)}${NAMES_LOOPSCOUT}` },
      ],
    },
  ],
  [
    'nodeinfo',
    {
      set: ({ state }) => {
        state.nodeInfo.metadata = { private: true };
        return [];
      },
      clear: ({ state }) => {
        state.nodeInfo.metadata = {};
      },
      faults: [{ route: NODEINFO, fault: 'status', status: 200, body: '{"error":"busy"}' }],
    },
  ],
];

describe('a host that asks not to be published', () => {
  it.each(SIGNALS)(
    'by %s stays unpublished until the same document is read without the signal, whatever fails meanwhile',
    async (name, signal) => {
      await using host = await startHost();
      const { server, visit } = host;
      expect(await visit()).toMatchObject({ noindex: false });
      const setFaults = signal.set(server);
      expect(await visit(...setFaults)).toMatchObject({ noindex: true, noindexBy: [name] });
      for (const fault of [...NODEINFO_FAULTS, ...signal.faults]) {
        // If both faults apply to one route, the first wins.
        expect([fault, await visit(fault, ...setFaults)]).toMatchObject([fault, { noindex: true, noindexBy: [name] }]);
      }
      signal.clear(server);
      const cleared = await visit();
      expect(cleared.noindex).toBe(false);
      expect(cleared).not.toHaveProperty('noindexBy');
    },
  );

  it('in two ways stays unpublished until both signals are gone', async () => {
    await using host = await startHost();
    const { server, visit } = host;
    server.state.nodeInfo.metadata = { hide_in_statistics: 1 };
    expect(await visit(configWithHeader(server))).toMatchObject({ noindexBy: ['config-header', 'nodeinfo'] });
    expect(await visit()).toMatchObject({ noindex: true, noindexBy: ['nodeinfo'] });
    server.state.nodeInfo.metadata = {};
    expect(await visit()).toMatchObject({ noindex: false });
  });
});

test('a host whose first NodeInfo request fails is published', async () => {
  for (const fault of NODEINFO_FAULTS) {
    await using host = await startHost();
    expect(await host.visit(fault)).toMatchObject({ noindex: false });
  }
});
