import { ChangeLine } from '../../directory/schema/change-line.ts';
import type { DomainChange } from '../../model/change.ts';
import { hideInChange, type IsHidden } from '../../model/opt-outs/opted-out-references.ts';
import { isoTime } from '../../model/time.ts';
import type { StoreReader } from '../../store/store-reader.ts';
import { columnsOf } from '../tables/column.ts';
import { csv, ndjson, parquet, TableWriter } from '../tables/table-writer.ts';
import { type Dataset, filesOf } from './dataset.ts';
import { firstFactsOf } from './first-facts.ts';

function* lines(source: StoreReader): Iterable<ChangeLine> {
  for (const history of source.instances.histories()) {
    const { domain } = history.record;
    for (const first of firstFactsOf(history))
      yield changeLineOf({ domain, cause: 'first', missing: null, ...first }, source.optOuts.isHidden);
  }
  for (const change of source.changes.published()) yield changeLineOf(change, source.optOuts.isHidden);
}

const columns = columnsOf(ChangeLine);

/** The first facts of the instances, then every change of a recorded fact in the order of recording, in three formats. */
export const changes: Dataset = {
  files: filesOf('changes', ['ndjson', 'csv', 'parquet']),
  parts: (source) => new TableWriter([ndjson(), csv(columns), parquet(columns)]).write(lines(source)),
};

/** A change as published. */
function changeLineOf(
  change: Omit<ChangeLine, 'changedAt' | 'before' | 'after' | 'domain'> & Omit<DomainChange, 'cause' | 'why'>,
  isHidden: IsHidden,
): ChangeLine {
  const { domain, at, field, from, to, cause } = hideInChange(change, isHidden);
  const missing = to === null && change.to !== null ? 'withheld' : change.missing;
  return { domain, changedAt: isoTime(at), field, before: from, after: to, missing, cause };
}
