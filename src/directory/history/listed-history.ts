import type { Domain } from '../../model/domain/domain.ts';
import type { InstanceHistory } from '../../model/instance-record.ts';
import { isSecondaryDomain } from '../../model/same-instance.ts';
import type { StoreReader } from '../../store/store-reader.ts';
import { isEligible, type PastFacts, type Segment, segmentsOf, toInstanceDomain } from './past-facts.ts';

export interface ListedSegment extends Segment {
  readonly isListed: boolean;
}

/** The history of a domain that ever ran Loops, in segments. */
export interface ListedHistory {
  readonly history: InstanceHistory;
  /** Oldest first; the first starts at minus infinity. */
  readonly segments: readonly ListedSegment[];
}

type UnresolvedHistory = { history: InstanceHistory; segments: readonly Segment[] };

/**
 * The history of every domain that ever ran Loops, sorted by domain, one in memory at a time. Domains that ever pointed to another host
 * come last and are held in memory, because whether they were listed depends on the history of that host.
 */
export function* listedHistories(source: StoreReader): Iterable<ListedHistory> {
  const unresolved: UnresolvedHistory[] = [];
  for (const history of source.instances.histories()) {
    const segments = segmentsOf(history);
    if (segments.some(({ facts }) => isEligible(facts) && typeof facts.pointsTo === 'string')) {
      unresolved.push({ history, segments });
    } else {
      yield { history, segments: segments.map((segment) => ({ ...segment, isListed: isEligible(segment.facts) })) };
    }
  }
  if (unresolved.length === 0) return;
  const pointedTo = readPointedTo(source, unresolved);
  for (const domain of unresolved) yield { history: domain.history, segments: resolveSegments(domain, pointedTo) };
}

/** Reads the histories of the hosts that these domains ever pointed to. */
function readPointedTo(
  source: StoreReader,
  unresolved: readonly UnresolvedHistory[],
): ReadonlyMap<Domain, UnresolvedHistory> {
  const wanted = new Set<unknown>(unresolved.flatMap(({ segments }) => segments.map(({ facts }) => facts.pointsTo)));
  const pointedTo = new Map<Domain, UnresolvedHistory>();
  for (const history of source.instances.histories((domain) => wanted.has(domain))) {
    pointedTo.set(history.record.domain, { history, segments: segmentsOf(history) });
  }
  return pointedTo;
}

/** Splits the segments of a domain where the history of the host it points to changes. */
function resolveSegments(
  { history, segments }: UnresolvedHistory,
  pointedTo: ReadonlyMap<Domain, UnresolvedHistory>,
): ListedSegment[] {
  return segments.flatMap(({ from, facts }, index): ListedSegment[] => {
    if (!isEligible(facts)) return [{ from, facts, isListed: false }];
    const instanceDomain = toInstanceDomain(history, facts);
    const { canonicalHost } = instanceDomain;
    const target = canonicalHost === null ? undefined : pointedTo.get(canonicalHost);
    if (target === undefined) return [{ from, facts, isListed: true }];
    const until = segments[index + 1]?.from ?? Number.POSITIVE_INFINITY;
    const isListedWith = (targetFacts: PastFacts) =>
      !(isEligible(targetFacts) && isSecondaryDomain(instanceDomain, toInstanceDomain(target.history, targetFacts)));
    const later = target.segments.filter((segment) => segment.from > from && segment.from < until);
    const atStart = target.segments.findLast((segment) => segment.from <= from);
    return [
      { from, facts, isListed: atStart === undefined || isListedWith(atStart.facts) },
      ...later.map((segment) => ({ from: segment.from, facts, isListed: isListedWith(segment.facts) })),
    ];
  });
}
