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

/** The history of every domain that ever ran Loops, sorted by domain, one in memory at a time. */
export function* listedHistories({ instances }: StoreReader): Iterable<ListedHistory> {
  for (const history of instances.histories()) yield { history, segments: listedSegments(history, instances) };
}

/** The segments of a domain. Whether it was listed while it pointed to another host depends on the history of that host, read once. */
function listedSegments(history: InstanceHistory, instances: StoreReader['instances']): ListedSegment[] {
  const segments = segmentsOf(history);
  const targets = new Map<Domain, { history: InstanceHistory; segments: Segment[] } | null>();
  const targetOf = (host: Domain) => {
    const known = targets.get(host);
    if (known !== undefined) return known;
    const found = instances.history(host);
    const target = found && { history: found, segments: segmentsOf(found) };
    targets.set(host, target);
    return target;
  };
  return segments.flatMap(({ from, facts }, index): ListedSegment[] => {
    if (!isEligible(facts)) return [{ from, facts, isListed: false }];
    const instanceDomain = toInstanceDomain(history, facts);
    const { canonicalHost } = instanceDomain;
    const target = canonicalHost === null ? null : targetOf(canonicalHost);
    if (target === null) return [{ from, facts, isListed: true }];
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
