import { ChangeLine } from '../../directory/schema/change-line.ts';
import type { DomainChange } from '../../model/change.ts';
import type { InstanceHistory } from '../../model/instance-record.ts';
import { hideInChange, type IsHidden } from '../../model/opt-outs/opted-out-references.ts';
import { isoTime } from '../../model/time.ts';
import { columnsOf } from '../tables/column.ts';
import { firstFactsOf } from './first-facts.ts';

export const changeColumns = columnsOf(ChangeLine);

/** The first facts of a domain, as changes. */
export function* firstLinesOf(history: InstanceHistory, isHidden: IsHidden): Iterable<ChangeLine> {
  const { domain } = history.record;
  for (const first of firstFactsOf(history))
    yield changeLineOf({ domain, cause: 'first', missing: null, ...first }, isHidden);
}

/** A change as published. */
export function changeLineOf(
  change: Omit<ChangeLine, 'changedAt' | 'before' | 'after' | 'domain'> & Omit<DomainChange, 'cause' | 'why'>,
  isHidden: IsHidden,
): ChangeLine {
  const { domain, at, field, from, to, cause } = hideInChange(change, isHidden);
  const missing = to === null && change.to !== null ? 'withheld' : change.missing;
  return { domain, changedAt: isoTime(at), field, before: from, after: to, missing, cause };
}
