import { isoTime, jsonLine } from '../../directory/formatting.ts';
import { ChangeLine } from '../../directory/schema/change-line.ts';
import { schemaPath } from '../../directory/schema/fields.ts';
import type { DomainChange } from '../../model/change.ts';
import { hideInChange, type IsHidden } from '../../model/opt-outs/opted-out-references.ts';
import type { StoreQueries } from '../../store/store-reader.ts';
import { columnsOf } from '../tables/column.ts';
import type { Dataset } from './dataset.ts';
import { firstFactsOf } from './first-facts.ts';
import { table } from './table.ts';

function* lines(source: StoreQueries): Iterable<ChangeLine> {
  for (const history of source.histories()) {
    const { domain } = history.record;
    for (const first of firstFactsOf(history))
      yield changeLineOf({ domain, cause: 'first', missing: null, ...first }, source.isHidden);
  }
  for (const change of source.changes()) yield changeLineOf(change, source.isHidden);
}

/** The first facts of the instances, then every change of a recorded fact in the order of recording, in three formats. */
export const changes: readonly Dataset[] = [
  {
    name: 'changes.ndjson',
    schema: schemaPath('changes'),
    chunks: (source, _, { counted }) => Iterator.from(counted(lines(source))).map((line) => `${jsonLine(line)}\n`),
  },
  ...table('changes', 'changes', columnsOf(ChangeLine), lines),
];

/** A change as published. */
function changeLineOf(
  change: Omit<ChangeLine, 'changedAt' | 'before' | 'after' | 'domain'> & Omit<DomainChange, 'cause' | 'why'>,
  isHidden: IsHidden,
): ChangeLine {
  const { domain, at, field, from, to, cause } = hideInChange(change, isHidden);
  const missing = to === null && change.to !== null ? 'withheld' : change.missing;
  return { domain, changedAt: isoTime(at), field, before: from, after: to, missing, cause };
}
