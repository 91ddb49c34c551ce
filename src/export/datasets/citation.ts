import { ABSTRACT, isLicenceUrl, KEYWORDS, type Publication, TITLE } from '../publication.ts';
import { single } from './dataset.ts';

/** `CITATION.cff`. Its date is that of the last visit; the dataset `domains`, which is written before, has found it. */
export const citation = single(
  { name: 'CITATION.cff', about: 'How to cite the data, in the Citation File Format.', schema: null },
  (_source, { lastVisit }, { publication }) => [citationText(lastVisit?.slice(0, 10) ?? null, publication)],
);

/**
 * The text of `CITATION.cff` (Citation File Format 1.2.0). A text in quotes is JSON, which YAML contains.
 *
 * @param released the day of the data, ISO 8601; null without any visit.
 */
export function citationText(released: string | null, { publisher, contact, licence, doi, url }: Publication): string {
  const licenceKey = licence !== null && isLicenceUrl(licence) ? 'license-url' : 'license';
  const optional = {
    version: released,
    'date-released': released,
    doi,
    url,
    [licenceKey]: licence,
  };
  const lines = [
    'cff-version: 1.2.0',
    'message: >-',
    '  If you use these data, please cite them as below, with the time of the export: generatedAt in manifest.json.',
    'type: dataset',
    `title: ${TITLE}`,
    'abstract: >-',
    ...ABSTRACT.map((line) => `  ${line}`),
    'authors:',
    `  - name: ${JSON.stringify(publisher)}`,
    ...(/^https:\/\//i.test(contact) ? [`    website: ${JSON.stringify(contact)}`] : []),
    'keywords:',
    ...KEYWORDS.map((word) => `  - ${word}`),
    ...Object.entries(optional).flatMap(([key, value]) => (value === null ? [] : [`${key}: ${JSON.stringify(value)}`])),
  ];
  return `${lines.join('\n')}\n`;
}
