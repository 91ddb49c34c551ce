import type { Domain } from '../model/domain/domain.ts';
import type { CachedRobots } from '../model/domain-record.ts';
import { type HostFacts, UNKNOWN_HOST } from '../model/facts/host-facts.ts';
import type { Step } from '../model/step.ts';
import type { Clock, EpochMs } from '../model/time.ts';
import type { DocumentKind, Visit } from '../model/visit.ts';
import type { Decision } from './decision.ts';
import { createNoindexCollector, type NoindexCollector } from './noindex.ts';

export type StoreDocument = (kind: DocumentKind, body: Uint8Array) => void;

/** Collects the steps and documents of a running visit, and builds the {@link Visit} from the decision. */
export interface VisitBuilder {
  readonly domain: Domain;
  /** Start. */
  readonly at: EpochMs;
  readonly steps: Step[];
  readonly storeDocument: StoreDocument;
  readonly host: HostFacts;
  robots: CachedRobots | null;
  readonly noindex: NoindexCollector;
  /** Restarts the clock of the visit, to exclude the wait for a slot after name resolution. */
  begin(): void;
  end(decision: Decision): Visit;
}

export function createVisitBuilder(domain: Domain, now: () => EpochMs, clock: Clock): VisitBuilder {
  let at = now();
  let startedAt = clock();
  const steps: Step[] = [];
  const documents: Visit['documents'] = {};
  const builder: VisitBuilder = {
    domain,
    get at() {
      return at;
    },
    steps,
    host: { ...UNKNOWN_HOST },
    robots: null,
    noindex: createNoindexCollector(),
    begin() {
      const resolvingMs = steps.reduce((sum, { ms }) => sum + ms, 0);
      at = now() - resolvingMs;
      startedAt = clock() - resolvingMs;
    },
    storeDocument: (kind, body) => {
      documents[kind] = body;
    },
    end: (decision) => ({
      domain,
      at,
      durationMs: Math.round(clock() - startedAt),
      ...decision,
      steps,
      documents,
      host: hostFactsOf(builder),
      absentNoindexSignals: builder.noindex.absentSignals(),
      robots: builder.robots,
    }),
  };
  return builder;
}

function hostFactsOf({ host, noindex }: VisitBuilder): HostFacts {
  const signals = noindex.foundSignals();
  return { ...host, noindex: noindex.noindex(), ...(signals.length > 0 ? { noindexBy: signals } : {}) };
}
