import { changes } from './changes.ts';
import { citation } from './citation.ts';
import { codebook } from './codebook.ts';
import type { Dataset } from './dataset.ts';
import { domains } from './domains.ts';
import { domainsText } from './domains-text.ts';
import { feed } from './feed.ts';
import { instances } from './instances.ts';
import { instancesCsv } from './instances-csv.ts';
import { instancesMin } from './instances-min.ts';
import { stats } from './stats.ts';

/**
 * Every dataset that each export writes, in the order of the manifest; `citation` needs what `domains` learns. A new one is a file
 * of this folder and a line here.
 */
export const datasets: readonly Dataset[] = [
  instances,
  instancesMin,
  instancesCsv,
  domains,
  domainsText,
  ...changes,
  stats,
  feed,
  codebook,
  citation,
];
