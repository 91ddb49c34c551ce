import type { Domain } from '../../model/domain/domain.ts';
import type { InstanceHistory } from '../../model/instance-record.ts';
import { isSecondaryDomain } from '../../model/same-instance.ts';
import type { ExportSource } from '../export-source.ts';
import { isEligible, nameOf, type PastFacts, type Segment, segmentsOf } from './past-facts.ts';

/** From a time on, until that of the next: what was known of a domain, and whether it was listed. */
export interface ListedSegment extends Segment {
  readonly isListed: boolean;
}

/** The past of a domain that was ever found to be Loops. */
export interface ListedHistory {
  readonly history: InstanceHistory;
  /** Oldest first; the first begins before everything. */
  readonly segments: readonly ListedSegment[];
}

type Past = { history: InstanceHistory; segments: readonly Segment[] };

/**
 * The past of every domain that was ever found to be Loops, one at a time and sorted by domain, but for the few that once named
 * another host as the instance: these come last, when the past of that other one is known. Those alone are held in memory.
 */
export function* listedHistories(source: ExportSource): Iterable<ListedHistory> {
  const waiting: Past[] = [];
  for (const history of source.histories()) {
    const segments = segmentsOf(history);
    if (segments.some(({ facts }) => isEligible(facts) && typeof facts.pointsTo === 'string')) {
      waiting.push({ history, segments });
    } else {
      yield { history, segments: segments.map((segment) => ({ ...segment, isListed: isEligible(segment.facts) })) };
    }
  }
  if (waiting.length === 0) return;
  const others = othersOf(source, waiting);
  for (const past of waiting) yield { history: past.history, segments: segmentsBeside(past, others) };
}

function othersOf(source: ExportSource, waiting: readonly Past[]): ReadonlyMap<Domain, Past> {
  const wanted = new Set(waiting.flatMap(({ segments }) => segments.map(({ facts }) => facts.pointsTo)));
  const others = new Map<Domain, Past>();
  for (const history of source.histories()) {
    const { domain } = history.record;
    if (wanted.has(domain)) others.set(domain, { history, segments: segmentsOf(history) });
  }
  return others;
}

/** Cuts the past of one where that of a host it names changes. */
function segmentsBeside({ history, segments }: Past, others: ReadonlyMap<Domain, Past>): ListedSegment[] {
  const cut = segments.flatMap(({ from, facts }, index): ListedSegment[] => {
    if (!isEligible(facts)) return [{ from, facts, isListed: false }];
    const name = nameOf(history, facts);
    const other = name.canonicalHost === null ? undefined : others.get(name.canonicalHost);
    if (other === undefined) return [{ from, facts, isListed: true }];
    const until = segments[index + 1]?.from ?? Number.POSITIVE_INFINITY;
    const isListedBeside = (past: PastFacts) =>
      !(isEligible(past) && isSecondaryDomain(name, nameOf(other.history, past)));
    const beginnings = other.segments.filter((one) => one.from > from && one.from < until);
    const atBegin = other.segments.findLast((one) => one.from <= from);
    return [
      { from, facts, isListed: atBegin === undefined || isListedBeside(atBegin.facts) },
      ...beginnings.map((one) => ({ from: one.from, facts, isListed: isListedBeside(one.facts) })),
    ];
  });
  return cut;
}
