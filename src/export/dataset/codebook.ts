import { codebookText } from '../codebook/codebook-text.ts';
import type { Dataset } from './dataset.ts';

/** `CODEBOOK.md`: what every field of every file means. */
export const codebook: Dataset = { name: 'CODEBOOK.md', schema: null, chunks: codebookText };
