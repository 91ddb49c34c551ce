import { codebookText } from '../codebook/codebook-text.ts';
import { citation } from './citation.ts';
import { type Dataset, single } from './dataset.ts';
import { domains } from './domains.ts';
import { feed } from './feed.ts';
import { histories } from './histories.ts';
import { instances } from './instances.ts';

/** `CODEBOOK.md`: what every field of every file means. */
const codebook = single(
  { name: 'CODEBOOK.md', about: 'What every field of every file means.', schema: null },
  codebookText,
);

/**
 * Every dataset of an export but visits and usage, in the order of the manifest. Some use what an earlier one collected: `feed`
 * uses `histories`, and `citation` uses `domains`. A new dataset is a file in this folder and a line here.
 */
export const datasets: readonly Dataset[] = [instances, domains, histories, feed, codebook, citation];
