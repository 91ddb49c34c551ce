import { setImmediate as yieldToEvents } from 'node:timers/promises';
import type { Domain } from './domain/domain.ts';
import { PARSERS, type Parsers } from './identify/parsers.ts';
import { differencesOf, type ReplayDifference } from './replay.difference.ts';
import { createReadAgain, type DamagedDocument } from './replay.read-again.ts';
import { pointsToOf, revisionsOf } from './replay.revisions.ts';
import type { SchedulePolicy } from './schedule/after-visit.ts';
import { retryWhileLocked } from './store/retry-while-locked.ts';
import type { Revision, Store } from './store/store.ts';
import type { DocumentedVisit } from './store/store-reader.ts';

export type { ReplayDifference } from './replay.difference.ts';

export interface ReplayParts {
  store: Pick<Store, 'reader' | 'revise'>;
  /** What a server of the service calls itself; compared with `===`. */
  softwareId: string;
  allowSuffixes: readonly string[];
  policy: SchedulePolicy;
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
  /** Ends it between two visits; what was recorded by then stays. */
  signal: AbortSignal;
  /** Called with each difference, in the order of recording; a promise is waited for. */
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
  /** So many visits were not written: their domains are being visited, or were meanwhile, or have opted out. */
  left: number;
}

const MOST_LISTED = 10_000;
/** Visits revised in one transaction: short, since others write too. */
const CHUNK = 100;
/** Visits read of one moment of the database: as long as one is, the write-ahead log can only grow. */
const MOST_OF_ONE_MOMENT = 1_000;
/** The event loop is kept waiting for so long at most, but for one visit. */
const SLICE_MS = 10;

/**
 * Replay: stored documents -> reread -> differences -> store. The visits are those recorded when it begins, and are streamed. With
 * `apply`, a second replay finds nothing more, but for the visits that were left.
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
    left: 0,
  };
  using reader = store.reader();
  const readAgain = createReadAgain(reader, { softwareId, allowSuffixes, parsers });
  const revisionParts = { reader, readAgain, policy, now, random };
  let revisions: Revision[] = [];

  const write = async () => {
    const chunk = revisions;
    revisions = [];
    report.left += (await retryWhileLocked(() => store.revise(chunk, now()), { signal })).left;
  };
  const tell = async (differences: readonly ReplayDifference[]) => {
    for (const difference of differences) {
      report.differenceCount++;
      report.byField[difference.field] = (report.byField[difference.field] ?? 0) + 1;
      await onDifference(difference);
    }
  };

  async function replayOne({ visit, isLatest }: DocumentedVisit): Promise<void> {
    const name = { domain: visit.domain, visitId: visit.id, at: visit.at };
    report.visits++;
    const again = readAgain(visit);
    if (again.kind === 'damaged')
      return list(report.damaged, { ...name, document: again.document, problem: again.problem });
    if (again.kind === 'would-ask-elsewhere') return list(report.wouldAskElsewhere, name);
    if (again.kind === 'stands') return;
    const { conclusion } = again;
    const differences = differencesOf(visit, conclusion.decision).map((difference) => ({ ...name, ...difference }));
    if (isLatest && conclusion.decision.verdict === 'loops') {
      const to = pointsToOf({ visit: { ...visit, ...conclusion.decision }, conclusion });
      const from = reader.find(visit.domain)?.host.pointsTo ?? null;
      if (to !== undefined && to !== from) differences.push({ ...name, field: 'pointsTo', from, to });
    }
    if (differences.length === 0) return;
    report.changedVisits++;
    if (apply) revisions.push(...revisionsOf(visit, conclusion, revisionParts));
    await tell(differences);
  }

  const upTo = reader.lastVisitId();
  let after = 0;
  let sliceBegan = clock();
  /** Reads on, all of one moment; answers whether there may be more. */
  async function readOn(): Promise<boolean> {
    let read = 0;
    for (const documented of reader.documentedVisits({ after, upTo })) {
      if (signal.aborted) {
        report.end = 'stopped';
        return false;
      }
      await replayOne(documented);
      after = documented.visit.id;
      if (clock() - sliceBegan >= SLICE_MS) {
        await yieldToEvents();
        sliceBegan = clock();
      }
      if (++read === MOST_OF_ONE_MOMENT || revisions.length >= CHUNK) return true;
    }
    return false;
  }
  // Written between two moments: were one read meanwhile, nothing that is written could leave the write-ahead log.
  for (let isMore = true; isMore; ) {
    isMore = await readOn();
    if (revisions.length > 0) await write();
  }
  return report;
}

function list<T>(into: { count: number; visits: T[] }, visit: T): void {
  into.count++;
  if (into.visits.length < MOST_LISTED) into.visits.push(visit);
}
