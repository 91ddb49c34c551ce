import { citationText } from '../citation-text.ts';
import type { Dataset } from './dataset.ts';

/** `CITATION.cff`: how to cite the data, by the day of their last visit, which `domains` has found before. */
export const citation: Dataset = {
  name: 'CITATION.cff',
  schema: null,
  *chunks(_source, { lastVisit }, { contact }) {
    yield citationText({ released: lastVisit?.slice(0, 10) ?? null, contact });
  },
};
