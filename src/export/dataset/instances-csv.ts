import { instanceEntryOf } from '../instance-entry-of.ts';
import { mapped } from '../mapped.ts';
import { InstanceEntry } from '../schema/instance-entry.ts';
import { schemaPath } from '../schema/published-schemas.ts';
import { columnsOf } from '../table/columns-of.ts';
import { csvText } from '../table/csv-text.ts';
import type { Dataset } from './dataset.ts';

const columns = columnsOf(InstanceEntry);

/** `instances.csv`: the entries of `instances.json` as a table. */
export const instancesCsv: Dataset = {
  name: 'instances.csv',
  schema: schemaPath('instances.csv'),
  chunks: (source) => csvText(columns, mapped(source.instances(), instanceEntryOf)),
};
