import type { Identifier } from '../../src/identify/identifier.ts';
import { createVisitBuilder } from '../../src/identify/visit-builder.ts';
import type { Domain } from '../../src/model/domain/domain.ts';
import type { Step } from '../../src/model/step.ts';
import type { Visit } from '../../src/model/visit.ts';
import { type Answer, answerOf, factsOf, type Host, type World } from './world.ts';

/** What the world told at one visit. */
export interface Told extends Answer {
  at: number;
}

/** The clock of a simulated world. */
export interface Clock {
  at: number;
}

/**
 * Visits a made-up world. Each visit takes the time that one takes at the given rate, so that the clock of the world goes
 * on while it is crawled. `told` is the world's own log of what it told whom and when.
 */
export function createWorldIdentifier(
  { hosts }: World,
  clock: Clock,
  visitsPerSecond: number,
): { identifier: Identifier; told: Map<Domain, Told[]> } {
  const byDomain = new Map(hosts.map((host) => [host.domain, host]));
  const told = new Map<Domain, Told[]>(hosts.map(({ domain }) => [domain, []]));
  // Redirects lead to a host that is known, so that the world stays as large as it was made.
  const target = hosts[0]?.domain;
  if (target === undefined) throw new Error('a world has hosts');
  const identifier: Identifier = {
    async resolve(domain) {
      return {
        builder: createVisitBuilder(
          domain,
          () => clock.at,
          () => clock.at,
        ),
        addresses: [],
      };
    },
    async identify({ builder: { domain } }) {
      clock.at += 1_000 / visitsPerSecond;
      const at = Math.floor(clock.at);
      const host = byDomain.get(domain);
      if (host === undefined) throw new Error(`${domain} is not of this world`);
      const answer = answerOf(host, at);
      told.get(domain)?.push({ at, ...answer });
      return visitOf(host, answer, at, target);
    },
    cancelAll() {},
  };
  return { identifier, told };
}

const bytes = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));

function visitOf({ domain }: Host, { verdict, reason, said }: Answer, at: number, target: Domain): Visit {
  const isOther = verdict === 'other';
  return {
    domain,
    at,
    durationMs: 200,
    verdict,
    reason,
    via: said === null ? (isOther ? 'nodeinfo' : null) : said.config === null ? 'nodeinfo' : 'config',
    software: said === null ? (isOther ? 'mastodon' : null) : 'loops',
    version: said?.version ?? (isOther ? '4.5.0' : null),
    aliasOf: verdict === 'alias' ? target : null,
    facts: said === null ? null : factsOf(said, at),
    steps: stepsOf(domain, verdict === 'unreachable' ? reason : null),
    documents: said === null ? {} : documentsOf(said),
    retryAfterMs: null,
    host: { ipv4: true, ipv6: null, tlsExpires: null, noindex: said === null ? null : false, canonicalHost: null },
    robots: null,
  };
}

function stepsOf(domain: Domain, failure: Step['failure']): Step[] {
  const dns: Step = { probe: 'dns', url: domain, status: null, ms: 11, bytes: 0, failure };
  if (failure !== null) return [dns];
  const ask = (probe: Step['probe'], path: string, size: number): Step => ({
    probe,
    url: `https://${domain}${path}`,
    status: 200,
    ms: 60,
    bytes: size,
    failure: null,
  });
  return [
    dns,
    ask('robots', '/robots.txt', 300),
    ask('config', '/api/v1/config', 900),
    ask('discovery', '/.well-known/nodeinfo', 150),
    ask('nodeinfo', '/nodeinfo/2.0', 500),
  ];
}

function documentsOf({ version, name, config, users, posts }: NonNullable<Answer['said']>): Visit['documents'] {
  const nodeinfo = bytes({
    version: '2.0',
    software: { name: 'loops', version },
    protocols: ['activitypub'],
    usage: { users: { total: users }, localPosts: posts },
    openRegistrations: true,
    metadata: { nodeName: name },
  });
  const discovery = bytes({
    links: [{ rel: 'http://nodeinfo.diaspora.software/ns/schema/2.0', href: '/nodeinfo/2.0' }],
  });
  return config === null
    ? { discovery, nodeinfo }
    : { config: bytes({ app: { software: 'loops', version, name }, ...config }), discovery, nodeinfo };
}
