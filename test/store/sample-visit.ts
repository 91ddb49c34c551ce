import { type Domain, storedDomain } from '../../src/model/domain/domain.ts';
import { UNKNOWN_HOST } from '../../src/model/facts/host-facts.ts';
import type { InstanceFacts } from '../../src/model/facts/instance-facts.ts';
import type { Visit } from '../../src/model/visit.ts';
import type { PickedDomain } from '../../src/store/domains/pick-domains.ts';
import type { RecordedVisit } from '../../src/store/visits/visits.ts';
import { bothRead } from '../model/facts/sample-visit-facts.ts';

export const hour = 3_600_000;

/** Distinct domains in no order, such as `h2654435761-1.example.org`: the multiplication scatters the numbers. */
export function sampleDomains(count: number, start = 0): Domain[] {
  return Array.from({ length: count }, (_, index) => {
    const number = start + index;
    return storedDomain(`h${Math.imul(number, 2_654_435_761) >>> 0}-${number}.example.org`);
  });
}

const { features } = bothRead(0);
export const sampleFacts = bothRead(0, {
  ...{ name: 'Sample Loops', description: 'Short videos, a few at a time.', version: '1.0.0-beta.14' },
  registration: { open: true, mode: 'open' },
  features: { ...features, starterKits: null },
  usage: { users: 1234, activeMonth: 321, activeHalfyear: 654, posts: 9876, asOf: '2026-08-01T00:00:00.000Z' },
  flags: ['app-url-mismatch'],
  notes: [{ field: 'media.max_image_size', problem: 'a string, not a number' }],
});

/** {@link sampleFacts} with the counts dated `at`. */
export function sampleFactsAt(at: number): InstanceFacts {
  return { ...sampleFacts, usage: { ...sampleFacts.usage, asOf: new Date(at).toISOString() } };
}

/** A visit with the verdict `loops`. */
export function loopsVisit(domain: Domain, at: number, changes: Partial<Visit> = {}): Visit {
  return {
    domain,
    at,
    durationMs: 210,
    verdict: 'loops',
    reason: 'config-software',
    via: 'config',
    software: 'loops',
    version: '1.0.0-beta.14',
    aliasOf: null,
    facts: sampleFactsAt(at),
    steps: [
      { probe: 'dns', url: domain, status: null, ms: 12, bytes: 0, failure: null },
      { probe: 'robots', url: `https://${domain}/robots.txt`, status: 404, ms: 60, bytes: 0, failure: null },
      { probe: 'config', url: `https://${domain}/api/v1/config`, status: 200, ms: 80, bytes: 900, failure: null },
      {
        probe: 'discovery',
        url: `https://${domain}/.well-known/nodeinfo`,
        status: 200,
        ms: 58,
        bytes: 120,
        failure: null,
        note: 'a note',
      },
    ],
    documents: {},
    retryAfterMs: null,
    host: {
      ...UNKNOWN_HOST,
      ipv4: true,
      ipv6: false,
      tlsExpires: at + 60 * 24 * hour,
      noindex: false,
      canonicalHost: null,
    },
    robots: null,
    ...changes,
  };
}

/** An unanswered visit. */
export function unreachableVisit(domain: Domain, at: number): Visit {
  return loopsVisit(domain, at, {
    verdict: 'unreachable',
    reason: 'connect-refused',
    via: null,
    software: null,
    version: null,
    facts: null,
    steps: [{ probe: 'dns', url: domain, status: null, ms: 12, bytes: 0, failure: 'connect-refused' }],
  });
}

/** A visit ready to be recorded of a picked domain, by default with the verdict `loops`. The next visit is due in six hours. */
export function recordedVisit(picked: PickedDomain, at: number, visit?: Visit): RecordedVisit {
  const ended = visit ?? loopsVisit(picked.record.domain, at);
  const isLoops = ended.verdict === 'loops';
  const state = ended.verdict === 'unreachable' ? 'failing' : 'active';
  const hasChangedState = state !== picked.record.state;
  return {
    picked,
    visit: ended,
    after: {
      ...picked.record,
      state,
      stateSince: hasChangedState ? at : picked.record.stateSince,
      stateWhy: hasChangedState ? `became ${state}` : picked.record.stateWhy,
      verdict: ended.verdict,
      reason: ended.reason,
      identifiedAs: isLoops ? 'loops' : picked.record.identifiedAs,
      wasEverLoops: isLoops || picked.record.wasEverLoops,
      via: ended.via ?? picked.record.via,
      software: ended.software ?? picked.record.software,
      version: ended.version ?? picked.record.version,
      lastVisit: at,
      lastSeen: ended.verdict === 'unreachable' ? picked.record.lastSeen : at,
      nextVisit: at + 6 * hour,
      nextVisitWhy: 'Loops servers are visited every 6 h',
      failures: ended.verdict === 'unreachable' ? picked.record.failures + 1 : 0,
      consecutiveSameOutcome: picked.record.consecutiveSameOutcome + 1,
      host: ended.host,
    },
  };
}
