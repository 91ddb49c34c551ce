import { setImmediate as yieldToEvents } from 'node:timers/promises';
import { PARSERS, type Parsers } from '../identify/documents.ts';
import type { Conclusion } from '../identify/resolve-verdict.ts';
import type { Cadence } from '../model/cadence.ts';
import type { Domain } from '../model/domain/domain.ts';
import { createReplayRules } from '../schedule/after-replay.ts';
import { retryWhileLocked } from '../store/sqlite/retry-while-locked.ts';
import type { Correction, Store } from '../store/store.ts';
import type { StoredVisit } from '../store/store-reader.ts';
import { differencesOf, type ReplayDifference } from './difference.ts';
import { createReadAgain, type DamagedDocument } from './reparse.ts';

export type { ReplayDifference } from './difference.ts';

export interface ReplayParts {
  store: Pick<Store, 'reader' | 'correct'>;
  /** What a server of the service calls itself; compared with `===`. */
  softwareId: string;
  allowSuffixes: readonly string[];
  policy: Cadence;
  /** Default: today's. */
  parsers?: Parsers;
  now: () => number;
  /** Monotonic, in milliseconds. */
  clock: () => number;
  random: () => number;
}

export interface ReplayOptions {
  /** Whether what is read differently is recorded, with the cause `replay`. */
  apply: boolean;
  /** Ends it between two domains; what was recorded by then stays. */
  signal: AbortSignal;
  /** Called with each difference, domain after domain, oldest visit first; a promise is waited for. */
  onDifference: (difference: ReplayDifference) => void | Promise<void>;
}

interface VisitName {
  domain: Domain;
  visitId: number;
  /** Start of the visit, milliseconds since the epoch. */
  at: number;
}

/** What a replay came to. Lists hold the first {@link MOST_LISTED}; everything is counted. */
export interface ReplayReport {
  end: 'done' | 'stopped';
  applied: boolean;
  /** Visits whose documents were read, and those of them that are read differently. */
  visits: number;
  changedVisits: number;
  differenceCount: number;
  byField: Record<string, number>;
  /** Today's parsers lead to an address that was not asked, so that nothing can be said. */
  wouldAskElsewhere: { count: number; visits: VisitName[] };
  damaged: { count: number; visits: (VisitName & DamagedDocument)[] };
  /** Visits that stand because the body of a document names a host which has opted out, and is not kept. */
  withheld: number;
  /** So many visits were not written: their domains are being visited, or have opted out. */
  left: number;
}

const MOST_LISTED = 10_000;
/** The event loop is kept waiting for so long at most, but for one visit. */
const SLICE_MS = 10;

/**
 * Replay: stored documents -> reread -> differences -> store, one domain after the other. Nothing is read while something is written, or
 * the write-ahead log would grow without end. With `apply`, a second replay finds nothing more, except for the visits that were left.
 *
 * @throws what the store throws, and what `onDifference` throws.
 */
export async function replay(parts: ReplayParts, options: ReplayOptions): Promise<ReplayReport> {
  const { store, softwareId, allowSuffixes, policy, parsers = PARSERS, now, clock, random } = parts;
  const { apply, signal, onDifference } = options;
  const report: ReplayReport = {
    end: 'done',
    applied: apply,
    visits: 0,
    changedVisits: 0,
    differenceCount: 0,
    byField: {},
    wouldAskElsewhere: { count: 0, visits: [] },
    damaged: { count: 0, visits: [] },
    withheld: 0,
    left: 0,
  };
  using reader = store.reader();
  const readAgain = createReadAgain(reader, { softwareId, allowSuffixes, parsers });
  const rules = createReplayRules({ policy, now, random });

  /** What today's parsers make of a visit; null when they make the same of it, or nothing can be said. */
  function replayOne(visit: StoredVisit): { correction: Correction; differences: ReplayDifference[] } | null {
    const name = { domain: visit.domain, visitId: visit.id, at: visit.at };
    report.visits++;
    const again = readAgain(visit);
    if (again.kind === 'damaged') list(report.damaged, { ...name, document: again.document, problem: again.problem });
    if (again.kind === 'would-ask-elsewhere') list(report.wouldAskElsewhere, name);
    if (again.kind === 'withheld') report.withheld++;
    if (again.kind !== 'concluded') return null;
    const said = saidBy(again.conclusion, visit);
    const differences = differencesOf(visit, said).map((difference) => ({ ...name, ...difference }));
    if (differences.length === 0) return null;
    const replaced = Object.fromEntries(differences.map(({ field, from }) => [field, from]));
    return { correction: { visitId: visit.id, visit: said, replaced }, differences };
  }

  let sliceBegan = clock();
  const leaveTheLoop = async () => {
    if (clock() - sliceBegan < SLICE_MS) return;
    await yieldToEvents();
    sliceBegan = clock();
  };
  for (let next = reader.nextDomainWithDocuments(0); next !== null; next = reader.nextDomainWithDocuments(next.id)) {
    if (signal.aborted) {
      report.end = 'stopped';
      break;
    }
    const corrections: Correction[] = [];
    for (const visit of reader.visitsWithDocuments(next)) {
      const changed = replayOne(visit);
      await leaveTheLoop();
      if (changed === null) continue;
      corrections.push(changed.correction);
      for (const difference of changed.differences) {
        report.differenceCount++;
        report.byField[difference.field] = (report.byField[difference.field] ?? 0) + 1;
        await onDifference(difference);
      }
    }
    report.changedVisits += corrections.length;
    if (!apply || corrections.length === 0) continue;
    const { domain } = next;
    const correct = () => store.correct(domain, corrections, now(), rules);
    if (!(await retryWhileLocked(correct, { signal }))) report.left += corrections.length;
  }
  return report;
}

/** By NodeInfo alone, config may have redirected, and only a step says where to: without steps, what was recorded stands. */
function saidBy({ decision, canonicalHost }: Conclusion, visit: StoredVisit): Correction['visit'] {
  const isUntold = decision.verdict === 'loops' && decision.via === 'nodeinfo' && visit.steps === null;
  return { ...decision, canonicalHost: isUntold ? visit.canonicalHost : canonicalHost };
}

function list<T>(into: { count: number; visits: T[] }, visit: T): void {
  into.count++;
  if (into.visits.length < MOST_LISTED) into.visits.push(visit);
}
