import { describe, expect, test } from 'vitest';
import { parseDomain } from '../../src/model/domain/parse-domain.ts';
import { cleanIdentifier, cleanText, LENGTHS } from '../../src/model/text/clean-text.ts';
import { hostileDomains, hostilePayloads } from './hostile-payloads.ts';

describe('the table of hostile payloads', () => {
  test.each(hostilePayloads)('states the stored form of $name', ({ sent, text, identifier }) => {
    expect(cleanText(sent, LENGTHS.name)).toBe(text);
    expect(cleanIdentifier(sent, LENGTHS.mode)).toBe(identifier);
  });

  test('has each payload once', () => {
    const sent = hostilePayloads.map((payload) => payload.sent);
    expect(new Set(sent).size).toBe(sent.length);
  });

  test.each(hostileDomains)('%j becomes a plain host name or is refused', (text) => {
    const parsed = parseDomain(text, { allowSuffixes: ['example'] });
    if (parsed.ok) expect(parsed.domain).toMatch(/^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z]+(?::\d+)?$/);
  });
});
