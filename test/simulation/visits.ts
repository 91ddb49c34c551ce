import type { Identifier } from '../../src/identify/identifier.ts';
import { createVisitBuilder } from '../../src/identify/visit-builder.ts';
import type { Domain } from '../../src/model/domain/domain.ts';
import { UNKNOWN_HOST } from '../../src/model/facts/host-facts.ts';
import type { Step } from '../../src/model/step.ts';
import type { Visit } from '../../src/model/visit.ts';
import { type Answer, answerOf, factsOf, type Host, type World } from './world.ts';

/** The answer of a simulated host to one visit. */
export interface SimulatedVisit extends Answer {
  at: number;
}

/** The simulated clock, in milliseconds. */
export interface Clock {
  at: number;
}

/** Creates an identifier of simulated hosts. Each visit advances the clock by 1 s / `visitsPerSecond`. The log holds all visits by domain. */
export function createWorldIdentifier(
  { hosts }: World,
  clock: Clock,
  visitsPerSecond: number,
): { identifier: Identifier; visitLog: Map<Domain, SimulatedVisit[]> } {
  const byDomain = new Map(hosts.map((host) => [host.domain, host]));
  const visitLog = new Map<Domain, SimulatedVisit[]>(hosts.map(({ domain }) => [domain, []]));
  // Every redirect leads to one known host, so that the crawl discovers no hosts outside the simulation.
  const target = hosts[0]?.domain;
  if (target === undefined) throw new Error('the world has no hosts');
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
      if (host === undefined) throw new Error(`${domain} is not in the simulated world`);
      const answer = answerOf(host, at);
      visitLog.get(domain)?.push({ at, ...answer });
      return visitOf(host, answer, at, target);
    },
    cancelAll() {},
  };
  return { identifier, visitLog };
}

const bytes = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));

function visitOf({ domain }: Host, answer: Answer, at: number, target: Domain): Visit {
  const { verdict, reason, published } = answer;
  return {
    domain,
    at,
    durationMs: 200,
    verdict,
    reason,
    ...softwareOf(answer),
    aliasOf: verdict === 'alias' ? target : null,
    facts: published === null ? null : factsOf(published, at),
    steps: stepsOf(domain, verdict === 'unreachable' ? reason : null),
    documents: published === null ? {} : documentsOf(published),
    retryAfterMs: null,
    host: {
      ...UNKNOWN_HOST,
      ipv4: true,
      ipv6: null,
      tlsExpires: null,
      noindex: published === null ? null : false,
      canonicalHost: null,
    },
    robots: null,
  };
}

/** The software that a visit finds, and the document that names it. */
function softwareOf({ verdict, published }: Answer): Pick<Visit, 'via' | 'software' | 'version'> {
  if (published !== null) {
    const via = published.config === null ? 'nodeinfo' : 'config';
    return { via, software: 'loops', version: published.version };
  }
  if (verdict === 'other') return { via: 'nodeinfo', software: 'mastodon', version: '4.5.0' };
  return { via: null, software: null, version: null };
}

/** The requests of a visit. A failed visit ends at its first step, whatever the failure. */
function stepsOf(domain: Domain, failure: Step['failure']): Step[] {
  const dns: Step = { probe: 'dns', url: domain, status: null, ms: 11, bytes: 0, failure };
  if (failure !== null) return [dns];
  const request = (probe: Step['probe'], path: string, size: number): Step => ({
    probe,
    url: `https://${domain}${path}`,
    status: 200,
    ms: 60,
    bytes: size,
    failure: null,
  });
  return [
    dns,
    request('robots', '/robots.txt', 300),
    request('config', '/api/v1/config', 900),
    request('discovery', '/.well-known/nodeinfo', 150),
    request('nodeinfo', '/nodeinfo/2.0', 500),
  ];
}

function documentsOf({ version, name, config, users, posts }: NonNullable<Answer['published']>): Visit['documents'] {
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
