import { domainLineOf } from '../domain-line-of.ts';
import type { ExportSource } from '../export-source.ts';
import type { Chunk } from '../file/chunk.ts';
import { jsonLine } from '../json-line.ts';
import { schemaPath } from '../schema/published-schemas.ts';
import type { Dataset, Tallies } from './dataset.ts';

/** `domains.ndjson`: one line per known domain. */
export const domains: Dataset = { name: 'domains.ndjson', schema: schemaPath('domains'), chunks: domainsText };

function* domainsText(source: ExportSource, tallies: Tallies): Iterable<Chunk> {
  for (const record of source.domains()) {
    const line = domainLineOf(record, source.isWithheld);
    if (line === null) {
      tallies.withheld.add(record.domain);
      if (record.state === 'opted-out') tallies.optedOut.add(record.domain);
      continue;
    }
    tallies.domains.add(line);
    if (line.lastVisit !== null && line.lastVisit > (tallies.lastVisit ?? '')) tallies.lastVisit = line.lastVisit;
    yield `${jsonLine(line)}\n`;
  }
}
