import { codebookText } from '../codebook/codebook-text.ts';
import { changes } from './changes.ts';
import { citation } from './citation.ts';
import type { Dataset } from './dataset.ts';
import { domains, memberships } from './domains.ts';
import { feed } from './feed.ts';
import { entriesOf, instances, instancesMin, instanceTables } from './instances.ts';
import { instancesAll } from './instances-all.ts';
import { stats, statsCsv } from './stats.ts';

/** `CODEBOOK.md`: what every field of every file means. */
const codebook: Dataset = {
  name: 'CODEBOOK.md',
  about: 'What every field of every file means.',
  schema: null,
  chunks: codebookText,
};

/** `domains.txt`: the listed instances, one domain a line. */
const domainsText: Dataset = {
  name: 'domains.txt',
  about: 'The domains of the listed instances, one per line.',
  schema: null,
  chunks: (_source, tallies, { counted }) =>
    Iterator.from(counted(entriesOf(tallies))).map(({ domain }) => `${domain}\n`),
};

/**
 * Every dataset of an export but visits and usage, in the order of the manifest. Some use what an earlier one collected: the other files
 * of instances use `instances`, `statsCsv`, `instancesAll` and `feed` use `stats`, and `citation` uses `domains`. A new dataset is a file in this folder and
 * a line here.
 */
export const datasets: readonly Dataset[] = [
  instances,
  instancesMin,
  ...instanceTables,
  ...domains,
  domainsText,
  ...memberships,
  ...changes,
  stats,
  statsCsv,
  ...instancesAll,
  feed,
  codebook,
  citation,
];
