import type { Domain } from '../../model/domain/domain.ts';
import type { DomainRecord } from '../../model/domain-record.ts';
import { mayBePublished } from '../../model/domain-record.ts';
import { unlessHidden } from '../../model/opt-outs/opted-out-references.ts';
import type { EpochMs } from '../../model/time.ts';
import type { NumberedChange } from '../../store/history/changes.ts';
import type { StoreReader } from '../../store/store-reader.ts';
import type { StoredVisit } from '../../store/visits/visit-log.ts';
import { type FilterValues, filterValuesOf } from '../browse/filter-values.ts';
import { minuteRoundedTime } from '../minute-rounded-time.ts';
import type { InstanceEntry } from '../schema/instance-entry.ts';
import type { Timeline } from '../schema/timeline.ts';
import type { Snapshot } from '../snapshot.ts';
import { timelineOf } from './timeline.ts';

/** Everything known about one listed instance. */
export interface InstanceView {
  readonly entry: InstanceEntry;
  readonly filterValues: FilterValues;
  readonly record: DomainRecord;
  /** Reference time. */
  readonly at: EpochMs;
  /** When each known fact was last read, by `ageKey`. */
  readonly readAt: Readonly<Record<string, EpochMs>>;
  readonly timeline: Timeline;
  /** Newest first, at most {@link MAX_CHANGES}. */
  readonly changes: readonly NumberedChange[];
  /** Newest first, at most {@link MAX_VISITS}. */
  readonly visits: readonly StoredVisit[];
}

export const MAX_CHANGES = 100;
const MAX_VISITS = 12;

/** Null when the instance is not listed. */
export function readInstance(
  domain: Domain,
  { reader, snapshot, now }: { reader: StoreReader; snapshot: Snapshot; now: number },
): InstanceView | null {
  const listed = snapshot.byDomain.get(domain);
  const filterValues = listed === undefined ? undefined : filterValuesOf(snapshot).get(listed);
  const record = reader.domains.find(domain);
  if (listed === undefined || filterValues === undefined || record === null || !mayBePublished(record)) return null;
  const at = minuteRoundedTime(record, now);
  return {
    entry: listed.entry,
    filterValues,
    record,
    at,
    readAt: reader.instances.factsOf(domain)?.readAt ?? {},
    timeline: timelineOf(reader, domain, at),
    changes: reader.changes.pageOf(domain, { before: null, limit: MAX_CHANGES }),
    visits: lastVisitsOf(reader, domain),
  };
}

function lastVisitsOf(reader: StoreReader, domain: Domain): StoredVisit[] {
  const visits: StoredVisit[] = [];
  for (const visit of reader.visits.of(domain)) {
    visits.push({ ...visit, aliasOf: unlessHidden(visit.aliasOf, reader.optOuts.isHidden) });
    if (visits.length >= MAX_VISITS) break;
  }
  return visits;
}
