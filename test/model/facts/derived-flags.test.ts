import { describe, expect, it } from 'vitest';
import { derivedFlags, type FlagContext } from '../../../src/model/facts/derived-flags.ts';
import type { KnownFacts } from '../../../src/model/facts/known-facts.ts';
import { bothRead, day, start } from './sample-visit-facts.ts';

const now = start + 30 * day;

function knownFacts(readAt: Record<string, number>, version: string | null = '1.0.0-beta.9'): KnownFacts {
  return { facts: bothRead(now, { version, flags: ['version-mismatch'] }), readAt, checkedAt: now };
}

function flags(record: KnownFacts, context: Partial<FlagContext> = {}) {
  return derivedFlags(record, {
    at: now,
    staleDays: 7,
    newest: null,
    hasCrowdedDomain: false,
    isUnconfirmed: false,
    ...context,
  });
}

describe('derivedFlags', () => {
  it('returns none for fresh facts without a newer version', () => {
    expect(flags(knownFacts({ name: now, usage: now }))).toEqual([]);
  });

  it('flags a version older than the newest as outdated, and no other', () => {
    expect(flags(knownFacts({}), { newest: '1.0.0-beta.14' })).toEqual(['outdated']);
    expect(flags(knownFacts({}), { newest: '1.0.0-beta.9' })).toEqual([]);
    expect(flags(knownFacts({}), { newest: '1.0.0-beta.8' })).toEqual([]);
  });

  it('does not flag an unknown or incomparable version as outdated', () => {
    expect(flags(knownFacts({}, null), { newest: '1.0.0' })).toEqual([]);
    expect(flags(knownFacts({}, 'main-4f2a'), { newest: '1.0.0' })).toEqual([]);
    expect(flags(knownFacts({}), { newest: 'latest' })).toEqual([]);
  });

  it('flags facts as stale if one of them was read longer ago than staleDays', () => {
    expect(flags(knownFacts({ name: now, usage: now - 7 * day }))).toEqual([]);
    expect(flags(knownFacts({ name: now, usage: now - 7 * day - 1 }))).toEqual(['stale-facts']);
    expect(flags(knownFacts({ name: now, usage: now - 7 * day - 1 }), { staleDays: 8 })).toEqual([]);
  });

  it('flags facts as stale as time passes, without a new visit', () => {
    const record = knownFacts({ name: now });
    expect(flags(record, { at: now + 7 * day })).toEqual([]);
    expect(flags(record, { at: now + 8 * day })).toEqual(['stale-facts']);
  });

  it('does not flag unknown facts as stale', () => {
    expect(flags(knownFacts({}))).toEqual([]);
  });

  it('flags a crowded domain, and orders flags as in the vocabulary', () => {
    expect(flags(knownFacts({}), { hasCrowdedDomain: true })).toEqual(['crowded-domain']);
    const all = flags(knownFacts({ name: start }), { hasCrowdedDomain: true, newest: '2.0.0' });
    expect(all).toEqual(['crowded-domain', 'outdated', 'stale-facts']);
  });

  it('does not repeat the stored flags of the instance', () => {
    expect(flags(knownFacts({}))).not.toContain('version-mismatch');
  });
});
