import type { Dataset } from './dataset.ts';

/** `CITATION.cff`. Its date is that of the last visit; the dataset `domains`, which is written before, has found it. */
export const citation: Dataset = {
  name: 'CITATION.cff',
  schema: null,
  *chunks(_source, { lastVisit }, { contact }) {
    yield citationText({ released: lastVisit?.slice(0, 10) ?? null, contact });
  },
};

/**
 * The text of `CITATION.cff` (Citation File Format 1.2.0).
 *
 * @param released the day of the data, ISO 8601; null without any visit.
 */
export function citationText({ released, contact }: { released: string | null; contact: string }): string {
  const lines = [
    'cff-version: 1.2.0',
    'message: >-',
    '  If you use these data, please cite them as below, with the time of the export: generatedAt in manifest.json.',
    'type: dataset',
    'title: Instances of Loops, as found by Loopscout',
    'abstract: >-',
    '  The servers of Loops, the federated short-video service: what each offers and reports, every visit and its',
    '  outcome, every change of a recorded fact, and every known domain with its software. CODEBOOK.md explains each',
    '  field; manifest.json lists the files with their SHA-256. No licence is claimed: the facts are those that the servers',
    '  publish about themselves.',
    'authors:',
    '  - name: Loopscout',
    ...(/^https:\/\//i.test(contact) ? [`    website: ${JSON.stringify(contact)}`] : []),
    'keywords:',
    '  - fediverse',
    '  - loops',
    '  - nodeinfo',
    ...(released === null ? [] : [`version: "${released}"`, `date-released: "${released}"`]),
  ];
  return `${lines.join('\n')}\n`;
}
