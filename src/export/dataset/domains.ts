import { domainLineOf } from '../domain-line-of.ts';
import type { ExportSource } from '../export-source.ts';
import type { Chunk } from '../file/chunk.ts';
import { jsonLine } from '../json-line.ts';
import { DomainLine } from '../schema/domain-line.ts';
import type { Dataset, Tallies } from './dataset.ts';

/** `domains.ndjson`: one line per known domain. */
export const domains: Dataset = {
  name: 'domains.ndjson',
  schema: 'schema/domains.json',
  shape: DomainLine,
  chunks: domainsText,
};

function* domainsText(source: ExportSource, tallies: Tallies): Iterable<Chunk> {
  for (const record of source.domains()) {
    const line = domainLineOf(record);
    if (line === null) continue;
    tallies.domains.add(line);
    yield `${jsonLine(line)}\n`;
  }
}
