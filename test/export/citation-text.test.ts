import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { citationText } from '../../src/export/datasets/citation.ts';
import { UNNAMED } from '../../src/export/publication.ts';

const publication = {
  ...{ publisher: 'Clips: near "you"', contact: 'https://example.org/bot', licence: 'CC0-1.0' },
  ...{ doi: '10.5281/zenodo.1234567', url: 'https://clips.example' },
};

describe('CITATION.cff', () => {
  test('has every key that Citation File Format 1.2.0 requires, and no unknown one', () => {
    const citation = parse(citationText('2026-11-20', publication));
    const allowedKeys =
      'abstract authors cff-version commit contact date-released doi identifiers keywords license license-url message preferred-citation references repository repository-artifact repository-code title type url version';
    expect(Object.keys(citation).filter((key) => !allowedKeys.split(' ').includes(key))).toEqual([]);
    expect(citation).toMatchObject({
      ...{ 'cff-version': '1.2.0', type: 'dataset', title: expect.any(String) },
      message: expect.stringContaining('generatedAt in manifest.json'),
      authors: [{ name: 'Clips: near "you"', website: 'https://example.org/bot' }],
      ...{ version: '2026-11-20', 'date-released': '2026-11-20' },
      ...{ doi: '10.5281/zenodo.1234567', url: 'https://clips.example', license: 'CC0-1.0' },
    });
  });

  test('names a licence that has no SPDX id by its URL', () => {
    const citation = parse(citationText(null, { ...publication, licence: 'https://clips.example/terms' }));
    expect([citation.license, citation['license-url']]).toEqual([undefined, 'https://clips.example/terms']);
  });

  test('has no date if nothing was released, no website if the contact is a mail address, and no key without a value', () => {
    const text = citationText(null, { ...UNNAMED, contact: 'mailto:bot@example.org' });
    expect(text).not.toMatch(/date-released|version: "|website|doi|url|license/);
  });
});
