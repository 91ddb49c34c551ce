import type { Domain } from './domain/domain.ts';
import type { Conclusion } from './identify/conclude.ts';
import type { DomainRecord } from './record/domain-record.ts';
import type { ReadAgain } from './replay.read-again.ts';
import { afterReplay } from './schedule/after-replay.ts';
import type { SchedulePolicy } from './schedule/after-visit.ts';
import { isConclusive } from './schedule/is-conclusive.ts';
import type { Revision } from './store/store.ts';
import type { StoredVisit, StoreReader } from './store/store-reader.ts';

export interface RevisionParts {
  reader: Pick<StoreReader, 'visitsOf' | 'find'>;
  readAgain: (visit: StoredVisit) => ReadAgain;
  policy: SchedulePolicy;
  now: () => number;
  random: () => number;
}

interface Today {
  stored: StoredVisit;
  /** What it says today: what was recorded, where that stands. */
  visit: StoredVisit;
  conclusion: Conclusion | null;
}

/**
 * What is to be written for a visit that is read differently today. What is kept of the domain is made anew from its visits, as
 * today's parsers read all of them, where this one takes part in it: it is the last that says what the host is, or a later one, or
 * the only one that ever found Loops. Facts are kept from the visit that they rest on, which is written again where it is another.
 */
export function revisionsOf(visit: StoredVisit, conclusion: Conclusion, parts: RevisionParts): Revision[] {
  const { reader, policy, now, random } = parts;
  const before = reader.find(visit.domain);
  if (before === null || before.state === 'opted-out') return [];
  const own = { stored: visit, visit: { ...visit, ...conclusion.decision }, conclusion };
  // Mostly it is the last visit that changed, and nothing need be read besides.
  const recent = visit.at === before.lastVisit && isTold(own) ? [own] : recentVisits(visit, parts);
  const told = recent.find(isTold);
  const isRecent = recent.some(({ stored }) => stored.id === visit.id);
  const ofVisitAlone = [{ visitId: visit.id, visit: conclusion.decision, after: null }];
  // Where what the domain rests on changes as well, the revision of that says it.
  if (!isRecent && told?.stored.verdict !== told?.visit.verdict) return ofVisitAlone;
  const isDecidedElsewhere = !isRecent && visit.verdict !== 'loops';
  const isLoopsNow = conclusion.decision.verdict === 'loops' || told?.visit.verdict === 'loops';
  const onceLoops = isLoopsNow || (isDecidedElsewhere ? before.onceLoops : wasEverLoops(visit.domain, before, parts));
  if (!isRecent && onceLoops === before.onceLoops) return ofVisitAlone;
  const after = afterReplay(
    before,
    {
      recent: recent.map((each) => each.visit),
      isUnknownNow: told === undefined && recent.some(({ stored }) => isConclusive(stored.verdict)),
      onceLoops,
      pointsTo: told === undefined ? undefined : pointsToOf(told),
    },
    now(),
    random(),
    policy,
  );
  const revision = { visitId: visit.id, visit: conclusion.decision, after };
  const mayHoldFacts = isRecent && isConclusive(visit.verdict);
  if (told === undefined || !mayHoldFacts || told.stored.id === visit.id) return [revision];
  return [revision, { visitId: told.stored.id, visit: told.visit, after }];
}

/** Where an instance points, as far as what is stored tells. */
export function pointsToOf({ visit, conclusion }: Today | { visit: StoredVisit; conclusion: Conclusion }) {
  if (conclusion === null || visit.verdict !== 'loops') return undefined;
  // By NodeInfo alone, config may have redirected, and only a step says where to.
  return visit.via === 'nodeinfo' && visit.steps === null ? undefined : conclusion.pointsTo;
}

/** Newest first, as far as the last that says what the host is. */
function recentVisits({ domain }: StoredVisit, { reader, readAgain }: RevisionParts): Today[] {
  const recent: Today[] = [];
  for (const stored of reader.visitsOf(domain)) {
    const today = todayOf(stored, readAgain);
    recent.push(today);
    if (isTold(today)) break;
  }
  return recent;
}

function todayOf(stored: StoredVisit, readAgain: RevisionParts['readAgain']): Today {
  const again = readAgain(stored);
  if (again.kind !== 'concluded') return { stored, visit: stored, conclusion: null };
  return { stored, visit: { ...stored, ...again.conclusion.decision }, conclusion: again.conclusion };
}

const isTold = ({ visit }: Today) => isConclusive(visit.verdict);

/** Whether any visit ended in Loops. Where none is kept that was recorded so, the one that was is gone, and is believed. */
function wasEverLoops(domain: Domain, before: DomainRecord, { reader, readAgain }: RevisionParts): boolean {
  let isRecorded = false;
  for (const stored of reader.visitsOf(domain)) {
    if (todayOf(stored, readAgain).visit.verdict === 'loops') return true;
    isRecorded ||= stored.verdict === 'loops';
  }
  return before.onceLoops && !isRecorded;
}
