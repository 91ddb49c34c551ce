import { describe, expect, test } from 'vitest';
import { citationText } from '../../src/export/datasets/citation.ts';

describe('CITATION.cff', () => {
  const lines = citationText({ released: '2026-11-20', contact: 'https://example.org/bot' }).split('\n');
  const keys = lines.flatMap((line) => /^([a-z-]+):/.exec(line)?.[1] ?? []);

  test('has every key that Citation File Format 1.2.0 requires, and no unknown one', () => {
    expect(keys).toEqual(expect.arrayContaining(['cff-version', 'message', 'title', 'authors']));
    const allowedKeys =
      'abstract authors cff-version commit contact date-released doi identifiers keywords license license-url message preferred-citation references repository repository-artifact repository-code title type url version';
    expect(keys.filter((key) => !allowedKeys.split(' ').includes(key))).toEqual([]);
    expect(new Set(keys).size).toBe(keys.length);
    expect(lines).toContain('cff-version: 1.2.0');
    expect(lines).toContain('type: dataset');
    expect(lines.join('\n')).toMatch(/^message: >-\n {2}.*generatedAt in manifest\.json/m);
    expect(keys).not.toContain('license');
    expect(lines).toContain('date-released: "2026-11-20"');
    expect(lines).toContain('    website: "https://example.org/bot"');
  });

  test('has no date if nothing was released, and no website if the contact is a mail address', () => {
    const text = citationText({ released: null, contact: 'mailto:bot@example.org' });
    expect(text).not.toContain('date-released');
    expect(text).not.toContain('website');
  });
});
