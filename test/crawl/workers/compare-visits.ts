import PQueue from 'p-queue';
import type { Domain } from '../../../src/model/domain/domain.ts';
import type { Visit } from '../../../src/model/visit.ts';
import { createFleet, kinds } from '../../../src/reference/index.ts';
import { parseDomains } from '../../../src/settings/parse-domains.ts';
import { loadSettings } from '../../../src/settings/settings.ts';
import { createTestNetwork } from '../../create-test-network.ts';

const NODEINFO_2_0 = 'http://nodeinfo.diaspora.software/ns/schema/2.0';

/** The parts of a visit that are equal in two visits to the same host. */
function comparable(visit: Visit): object {
  const { at: _at, durationMs: _duration, retryAfterMs, facts, robots, steps, ...rest } = visit;
  return {
    ...rest,
    isAskedToWait: retryAfterMs !== null,
    documents: Object.entries(visit.documents).map(([kind, body]) => [kind, body.length]),
    facts: facts && { ...facts, usage: { ...facts.usage, asOf: facts.usage.asOf !== null } },
    robots: robots && { body: robots.body && Buffer.from(robots.body).toString() },
    // Hosts of some kinds fail only their very first request. The visit repeats it, and only the repetition is compared.
    steps: steps.filter(({ url }, index) => steps[index + 1]?.url !== url).map((step) => ({ ...step, ms: 0 })),
  };
}

/**
 * Starts three hosts. The NodeInfo of the visited one is at `nodes.example`, and its robots.txt redirects to `robots.other.example`.
 * `requests` holds the requests to all three: `visited /robots.txt`.
 *
 * @param nodesRobots the robots.txt of `nodes.example`. Default: none.
 */
export async function createThreeHosts(nodesRobots: string | null = null) {
  const testNetwork = await createTestNetwork();
  const requests: string[] = [];
  const pathsRequestedFrom = (name: string) =>
    requests.filter((line) => line.startsWith(`${name} `)).map((line) => line.split(' ')[1]);
  let robotsUrl = '';
  let href = '';
  const visited = await testNetwork.listen('visited.example', '127.0.22.1', async (path, _request, response) => {
    requests.push(`visited ${path}`);
    if (path === '/robots.txt') response.writeHead(301, { location: robotsUrl }).end();
    return path === '/.well-known/nodeinfo' ? { links: [{ rel: NODEINFO_2_0, href }] } : null;
  });
  const robots = await testNetwork.listen('robots.other.example', '127.0.22.2', async (path, _request, response) => {
    requests.push(`robots ${path}`);
    if (path === '/robots.txt') response.end('User-agent: *\nDisallow: /private\n');
    return null;
  });
  const nodes = await testNetwork.listen('nodes.example', '127.0.22.3', async (path, _request, response) => {
    requests.push(`nodes ${path}`);
    if (path === '/robots.txt' && nodesRobots !== null) response.end(nodesRobots);
    return path === '/2.0' ? { version: '2.0', software: { name: 'loops', version: '1' } } : null;
  });
  robotsUrl = `https://${robots}/robots.txt`;
  href = `https://${nodes}/2.0`;
  const settings = testNetwork.settings({});
  const [domain] = parseDomains([visited], settings) as [Domain];
  return { settings, domain, requests, pathsRequestedFrom };
}

/** Time limits that a loaded machine does not reach. */
export const generousLimits = {
  timeouts: { connectMs: 30_000, responseMs: 30_000, visitMs: 60_000 },
  dnsTimeoutMs: 10_000,
};

/** Starts a fleet with one host of every `step`-th kind, and a Loops server that some kinds redirect to; with settings to visit its domains. */
export async function createSampleFleet(step: number) {
  // Kinds of weight 0 keep a visit waiting until its time limit.
  const sampled = kinds.filter(({ weight }, index) => weight !== 0 && index % step === 0);
  const names = new Set(['loops', ...sampled.map(({ name }) => name)]);
  const mix = Object.fromEntries([...names].map((name) => [name, 1]));
  const fleet = await createFleet({ hosts: names.size, log: false, mix });
  const settings = loadSettings({
    file: null,
    env: {},
    flags: {
      domains: { allowSuffixes: ['example'] },
      network: { ...generousLimits, allow: ['127.0.0.1/32'], dnsServers: [fleet.dnsServer], caFile: fleet.caFile },
    },
  });
  const domains = parseDomains(
    fleet.hosts.map(({ domain }) => domain),
    settings,
  );
  return { settings, domains, [Symbol.asyncDispose]: () => fleet[Symbol.asyncDispose]() };
}

/** Visits all domains, a few at a time, and returns their comparable parts. */
export async function visitAll(
  domains: readonly Domain[],
  visit: (domain: Domain) => Promise<Visit>,
): Promise<object[]> {
  const queue = new PQueue({ concurrency: 16 });
  return await queue.addAll(domains.map((domain) => async () => comparable(await visit(domain))));
}
