import type { ListedHistory } from '../../directory/history/listed-history.ts';
import { instanceEntryOf } from '../../directory/instance-entry-of.ts';
import { type Ending, EverEntry } from '../../directory/schema/ever-entry.ts';
import type { DomainRecord } from '../../model/domain-record.ts';
import { type IsHidden, unlessHidden } from '../../model/opt-outs/opted-out-references.ts';
import { isoTime } from '../../model/time.ts';
import { columnsOf, type Row } from '../tables/column.ts';

export const everColumns = columnsOf(EverEntry);

const NOT_OBSERVED = { share: null, coverage: 0 };
const uptime = { day: NOT_OBSERVED, week: NOT_OBSERVED, month: NOT_OBSERVED };

/** A domain that ever ran Loops, listed or not. */
export function everRowOf({ history, segments }: ListedHistory, isHidden: IsHidden): Row {
  const { record, facts, checkedAt, missing } = history;
  const first = segments.find(({ isListed }) => isListed);
  const last = segments.findLastIndex(({ isListed }) => isListed);
  const ending = segments.at(-1)?.isListed === true ? null : endingOf(record);
  const target =
    ending === 'redirects' ? record.aliasOf : ending === 'same-instance' ? record.host.canonicalHost : null;
  return {
    // What is known only of listed instances is no column.
    ...instanceEntryOf({ ...record, facts, checkedAt, missing, readAt: {}, uptime, usageBefore: null }),
    enteredAt: isoTime(first === undefined ? null : Math.max(first.from, record.firstSeen)),
    leftAt: isoTime(last === -1 ? null : (segments[last + 1]?.from ?? null)),
    ending,
    movedTo: unlessHidden(target, isHidden),
  };
}

/** For a domain that ever ran Loops and is not listed. */
function endingOf({ identifiedAs, state }: DomainRecord): Ending {
  if (identifiedAs === 'other') return 'other-software';
  if (identifiedAs === 'alias') return 'redirects';
  if (identifiedAs === null) return 'declined';
  if (state === 'new') return 'waiting';
  return state === 'dead' || state === 'gone' ? state : 'same-instance';
}
