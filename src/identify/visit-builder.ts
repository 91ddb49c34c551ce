import type { Domain } from '../model/domain/domain.ts';
import type { CachedRobots } from '../model/domain-record.ts';
import { type HostFacts, UNKNOWN_HOST } from '../model/facts/host-facts.ts';
import type { Step } from '../model/step.ts';
import type { DocumentKind, Visit } from '../model/visit.ts';
import type { Decision } from './decision.ts';
import { createNoindexNotes, type NoindexNotes } from './noindex.ts';

export type KeepDocument = (kind: DocumentKind, body: Uint8Array) => void;

/** A visit in progress: its steps and documents as they come, and the {@link Visit} once it is decided. */
export interface VisitBuilder {
  readonly domain: Domain;
  /** Start, milliseconds since the epoch. */
  readonly at: number;
  readonly steps: Step[];
  readonly keep: KeepDocument;
  /** Filled in as it is learnt. */
  readonly host: HostFacts;
  robots: CachedRobots | null;
  readonly noindex: NoindexNotes;
  /** The visit begins to ask: what it waited for a place since its name was resolved is not its own time. */
  begin(): void;
  end(decision: Decision): Visit;
}

/** @param clock monotonic, in milliseconds. */
export function createVisitBuilder(domain: Domain, now: () => number, clock: () => number): VisitBuilder {
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
    noindex: createNoindexNotes(),
    begin() {
      const resolvingMs = steps.reduce((sum, { ms }) => sum + ms, 0);
      at = now() - resolvingMs;
      startedAt = clock() - resolvingMs;
    },
    keep: (kind, body) => {
      documents[kind] = body;
    },
    end: (decision) => ({
      domain,
      at,
      durationMs: Math.round(clock() - startedAt),
      ...decision,
      steps,
      documents,
      host: hostOf(builder),
      absentNoindexSignals: builder.noindex.readWithout(),
      robots: builder.robots,
    }),
  };
  return builder;
}

function hostOf({ host, noindex }: VisitBuilder): HostFacts {
  const asked = noindex.asked();
  return { ...host, noindex: noindex.noindex(), ...(asked.length > 0 ? { noindexBy: asked } : {}) };
}
