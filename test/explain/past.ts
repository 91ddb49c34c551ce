import { afterAdded } from '../../src/crawl/schedule/after-added.ts';
import { afterVisit } from '../../src/crawl/schedule/after-visit.ts';
import { storedDomain } from '../../src/model/domain/domain.ts';
import { UNKNOWN_HOST } from '../../src/model/facts/host-facts.ts';
import type { Reason } from '../../src/model/reason.ts';
import type { Step } from '../../src/model/step.ts';
import type { Verdict } from '../../src/model/verdict.ts';
import type { Visit } from '../../src/model/visit.ts';
import type { Store } from '../../src/store/store.ts';
import { standardPolicy } from '../crawl/schedule/standard-policy.ts';
import { loopsVisit } from '../store/sample-visit.ts';

/** Creates the history of domains with the functions that a crawl uses. */
export interface Past {
  /** Adds a domain, which is not visited. */
  discover(domain: string, at: number): void;
  /** Records a visit; by default it identifies Loops. */
  visit(domain: string, at: number, outcome?: Partial<Visit>): void;
  /** Lets a user request a visit of a known domain. */
  request(domain: string, at: number): void;
}

export function createPast(store: Store): Past {
  return {
    discover(domain, at) {
      store.domains.enter([storedDomain(domain)], at);
    },
    visit(name, at, outcome = {}) {
      const domain = storedDomain(name);
      store.domains.requestVisit([domain], at);
      const [picked] = store.due.pick(1, at, [domain]);
      if (picked === undefined) throw new Error(`${domain} is not due`);
      const visit = loopsVisit(domain, at, outcome);
      const after = afterVisit(picked.record, visit, at, 0.5, standardPolicy);
      store.visits.record([{ picked, visit, after }]);
    },
    request(name, at) {
      store.domains.reactivate([storedDomain(name)], at, (before) =>
        afterAdded(before, at, 'a user requested a visit'),
      );
    },
  };
}

const nothingIdentified = { via: null, software: null, version: null, aliasOf: null, facts: null };
const unknownHost = { ...UNKNOWN_HOST, ipv4: true, ipv6: null, tlsExpires: null, noindex: null, canonicalHost: null };

/** A visit that did not identify the software. */
export function withoutSoftware(verdict: Verdict, reason: Reason, steps: readonly Step[] = []): Partial<Visit> {
  return { ...nothingIdentified, verdict, reason, steps, host: unknownHost };
}

export function redirectsTo(to: string, steps: readonly Step[] = []): Partial<Visit> {
  return { ...withoutSoftware('alias', 'redirected', steps), aliasOf: storedDomain(to) };
}

export function runsOther(software: string, version: string | null, steps: readonly Step[] = []): Partial<Visit> {
  return { ...withoutSoftware('other', 'nodeinfo-software', steps), via: 'nodeinfo', software, version };
}

/** A step of a visit; for the probe `dns`, `url` is the domain. */
export function step(probe: Step['probe'], url: string, changes: Partial<Step> = {}): Step {
  return { probe, url, status: null, ms: 40, bytes: 0, failure: null, ...changes };
}

/** The usual first steps: the name resolves, and robots.txt does not exist. */
export function firstSteps(domain: string): Step[] {
  return [step('dns', domain, { ms: 12 }), step('robots', `https://${domain}/robots.txt`, { status: 404, bytes: 30 })];
}

/** The usual first steps, then config and NodeInfo discovery, which both answer with this status. */
export function stepsWithEqualAnswers(domain: string, status: number, changes: Partial<Step> = {}): Step[] {
  return [
    ...firstSteps(domain),
    step('config', `https://${domain}/api/v1/config`, { status, ...changes }),
    step('discovery', `https://${domain}/.well-known/nodeinfo`, { status, ...changes }),
  ];
}
