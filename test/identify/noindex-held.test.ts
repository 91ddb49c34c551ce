import { createSecureContext } from 'node:tls';
import { describe, expect, it, test } from 'vitest';
import { identify } from '../../src/identify/identify.ts';
import { createVisitBuilder } from '../../src/identify/visit-builder.ts';
import type { HostFacts } from '../../src/model/facts/host-facts.ts';
import { createReferenceServer, type FaultRule, type ReferenceServer } from '../../src/reference/index.ts';
import { afterVisit } from '../../src/schedule/after-visit.ts';
import { openStore } from '../../src/store/open-store.ts';
import { HOST, openClient } from '../http/loopback.ts';
import { standardPolicy } from '../schedule/standard-policy.ts';
import { scratchPath } from '../store/scratch.ts';
import { CONFIG, DISCOVERY, domainOf } from './scripted-visit.ts';

const NODEINFO = '/nodeinfo/2.0';
const ROBOTS = '/robots.txt';
const OURS = 'User-agent: Loopscout\nDisallow: /\n';
const OTHERS = 'User-agent: otherbot\nDisallow: /\n';

/** A reference server with a name, the store of its visits, and its stored record. */
async function startHost() {
  const server = await createReferenceServer({ tls: true, url: `https://${HOST}`, robots: OTHERS });
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
    const client = openClient({ secureContext, responseMs: 120, visitMs: 2_000 });
    const visited = await identify(
      createVisitBuilder(
        domain,
        () => started,
        () => performance.now(),
      ),
      client,
      {
        softwareId: 'loops',
        robots: 'standard',
        allowSuffixes: ['example'],
        now: () => started,
        pause: async () => undefined,
      },
    );
    store.requestVisit([domain], started);
    const [lease] = store.lease(1, started, { only: [domain] });
    if (lease === undefined) throw new Error(`${domain} could not be leased`);
    const after = afterVisit(lease.record, visited, started, 0.5, standardPolicy);
    store.record([{ lease, visit: visited, after }]);
    const record = reader.find(domain);
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

/** Faults of a document; the last two concern the way to it. */
const faultsOf = (route: string, before = route): FaultRule[] => [
  { route, fault: 'server-error', status: 500 },
  { route, fault: 'invalid-json', how: 'html' },
  { route, fault: 'rate-limited' },
  { route, fault: 'stall', at: 'before-headers' },
  { route, fault: 'truncated' },
  { route: before, fault: 'status', status: 404 },
  { route: before, fault: 'server-error', status: 503 },
];
const OF_NODEINFO = faultsOf(NODEINFO, DISCOVERY);

const withHeader = (route: string, document: object, status = 200): FaultRule => ({
  route,
  fault: 'status',
  status,
  body: JSON.stringify(document),
  headers: { 'x-robots-tag': 'noindex', 'content-type': 'application/json' },
});
const config = ({ state }: ReferenceServer) => withHeader(CONFIG, state.config);
const document = { version: '2.0', software: { name: 'loops', version: '1.0.0' }, metadata: {} };

interface Way {
  ask: (server: ReferenceServer) => FaultRule[];
  takeBack: (server: ReferenceServer) => void;
  /** The faults of the document with the signal. */
  own: FaultRule[];
}
const none = () => [];
const WAYS: [name: string, way: Way][] = [
  ['config-header', { ask: (server) => [config(server)], takeBack: none, own: faultsOf(CONFIG) }],
  ['nodeinfo-header', { ask: () => [withHeader(NODEINFO, document)], takeBack: none, own: [] }],
  [
    'config-error-header',
    { ask: () => [withHeader(CONFIG, {}, 404)], takeBack: none, own: [{ route: CONFIG, fault: 'server-error' }] },
  ],
  [
    'robots',
    {
      ask: ({ state }) => {
        state.robots = OURS;
        return [];
      },
      takeBack: ({ state }) => {
        state.robots = OTHERS;
      },
      own: [
        ...faultsOf(ROBOTS),
        { route: ROBOTS, fault: 'status', status: 200, body: '<!doctype html><title>Just a moment...</title>' },
        { route: ROBOTS, fault: 'status', status: 200, body: '{"error":"busy"}' },
        { route: ROBOTS, fault: 'status', status: 200, body: `${'# x\n'.repeat(140_000)}${OURS}` },
      ],
    },
  ],
  [
    'nodeinfo',
    {
      ask: ({ state }) => {
        state.nodeInfo.metadata = { private: true };
        return [];
      },
      takeBack: ({ state }) => {
        state.nodeInfo.metadata = {};
      },
      own: [{ route: NODEINFO, fault: 'status', status: 200, body: '{"error":"busy"}' }],
    },
  ],
];

describe('a host that asks not to be published', () => {
  it.each(WAYS)(
    'by %s keeps asking until the same document is read without the signal, whatever fails meanwhile',
    async (name, way) => {
      await using host = await startHost();
      const { server, visit } = host;
      expect(await visit()).toMatchObject({ noindex: false });
      const asks = way.ask(server);
      expect(await visit(...asks)).toMatchObject({ noindex: true, noindexBy: [name] });
      for (const fault of [...OF_NODEINFO, ...way.own]) {
        // The fault comes first where both are about one route.
        expect([fault, await visit(fault, ...asks)]).toMatchObject([fault, { noindex: true, noindexBy: [name] }]);
      }
      way.takeBack(server);
      const cured = await visit();
      expect(cured.noindex).toBe(false);
      expect(cured).not.toHaveProperty('noindexBy');
    },
  );

  it('in two ways keeps asking until both signals are gone', async () => {
    await using host = await startHost();
    const { server, visit } = host;
    server.state.nodeInfo.metadata = { hide_in_statistics: 1 };
    expect(await visit(config(server))).toMatchObject({ noindexBy: ['config-header', 'nodeinfo'] });
    expect(await visit()).toMatchObject({ noindex: true, noindexBy: ['nodeinfo'] });
    server.state.nodeInfo.metadata = {};
    expect(await visit()).toMatchObject({ noindex: false });
  });
});

test('a host whose first NodeInfo fails is not known to ask', async () => {
  for (const fault of OF_NODEINFO) {
    await using host = await startHost();
    expect(await host.visit(fault)).toMatchObject({ noindex: false });
  }
});
