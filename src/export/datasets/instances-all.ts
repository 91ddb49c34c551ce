import type { ListedHistory } from '../../directory/history/listed-history.ts';
import { instanceEntryOf } from '../../directory/instance-entry-of.ts';
import { type Ending, EverEntry } from '../../directory/schema/ever-entry.ts';
import type { DomainRecord } from '../../model/domain-record.ts';
import { unlessHidden } from '../../model/opt-outs/opted-out-references.ts';
import { isoTime } from '../../model/time.ts';
import type { StoreReader } from '../../store/store-reader.ts';
import { columnsOf, type Row } from '../tables/column.ts';
import { csv, parquet, TableWriter } from '../tables/table-writer.ts';
import { type Dataset, filesOf, type Stay, type Tallies } from './dataset.ts';

/** Every domain that ever ran Loops, listed or not. The dataset `stats`, which is written before, has found out when each was listed. */
export const instancesAll: Dataset = {
  files: filesOf('instances-all', ['csv', 'parquet']),
  parts: (source, tallies) => new TableWriter([csv(columns), parquet(columns)]).write(everRows(source, tallies)),
};

const columns = columnsOf(EverEntry);

const NOT_OBSERVED = { share: null, coverage: 0 };
const uptime = { day: NOT_OBSERVED, week: NOT_OBSERVED, month: NOT_OBSERVED };

function* everRows(source: StoreReader, { stays }: Tallies): Iterable<Row> {
  for (const { record, facts, checkedAt, missing } of source.instances.histories()) {
    const { enteredAt, leftAt, isListed } = stays.get(record.domain) ?? {
      enteredAt: null,
      leftAt: null,
      isListed: true,
    };
    const ending = isListed ? null : endingOf(record);
    const target =
      ending === 'redirects' ? record.aliasOf : ending === 'same-instance' ? record.host.canonicalHost : null;
    yield {
      // What is known only of listed instances is no column.
      ...instanceEntryOf({ ...record, facts, checkedAt, missing, readAt: {}, uptime, usageBefore: null }),
      enteredAt: isoTime(enteredAt),
      leftAt: isoTime(leftAt),
      ending,
      movedTo: unlessHidden(target, source.optOuts.isHidden),
    };
  }
}

export function stayOf({ history, segments }: ListedHistory): Stay {
  const first = segments.find(({ isListed }) => isListed);
  const last = segments.findLastIndex(({ isListed }) => isListed);
  return {
    enteredAt: first === undefined ? null : Math.max(first.from, history.record.firstSeen),
    leftAt: last === -1 ? null : (segments[last + 1]?.from ?? null),
    isListed: segments.at(-1)?.isListed === true,
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
