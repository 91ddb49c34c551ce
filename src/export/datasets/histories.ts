import { DailyTotals } from '../../directory/history/daily-totals.ts';
import { listedHistories } from '../../directory/history/listed-history.ts';
import { dayOf } from '../../directory/periods.ts';
import type { ChangeLine } from '../../directory/schema/change-line.ts';
import { schemaPath } from '../../directory/schema/fields.ts';
import type { Row } from '../tables/column.ts';
import { csv, ndjson, parquet, TableWriter } from '../tables/table-writer.ts';
import { changeColumns, changeLineOf, firstLinesOf } from './changes.ts';
import { type Dataset, filesOf } from './dataset.ts';
import { everColumns, everRowOf } from './instances-all.ts';
import { statsColumns, statsRows, statsText } from './stats.ts';

/**
 * What is made of the histories of the domains that ever ran Loops: their first facts, followed by every change in the order of recording;
 * the statistics of each day; and a row for each of the domains.
 */
export const histories: Dataset = {
  files: [
    ...filesOf('changes', ['ndjson', 'csv', 'parquet']),
    { name: 'stats.json', schema: schemaPath('stats') },
    { name: 'stats.csv', schema: schemaPath('stats.csv') },
    ...filesOf('instances-all', ['csv', 'parquet']),
  ],
  *parts(source, { events }, { at }) {
    const { isHidden } = source.optOuts;
    const changes = new TableWriter<ChangeLine>({ 0: ndjson(), 1: csv(changeColumns), 2: parquet(changeColumns) });
    const ever = new TableWriter<Row>({ 5: csv(everColumns), 6: parquet(everColumns) });
    const totals = new DailyTotals(dayOf(at));
    for (const listed of listedHistories(source)) {
      totals.add(listed);
      events.add(listed);
      for (const line of firstLinesOf(listed.history, isHidden)) if (changes.add(line)) yield* changes.take();
      if (ever.add(everRowOf(listed, isHidden))) yield* ever.take();
    }
    for (const change of source.changes.published()) {
      if (changes.add(changeLineOf(change, isHidden))) yield* changes.take();
    }
    yield* changes.finish();
    yield* ever.finish();
    const days = [...totals.points()];
    for (const chunk of statsText(source, days)) yield { file: 3, chunk };
    yield { file: 3, chunk: '', rows: days.length };
    yield* new TableWriter({ 4: csv(statsColumns) }).write(statsRows(days));
  },
};
