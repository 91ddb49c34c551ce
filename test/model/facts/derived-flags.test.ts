import { describe, expect, it } from 'vitest';
import { derivedFlags, type FlagContext } from '../../../src/model/facts/derived-flags.ts';
import type { KnownFacts } from '../../../src/model/facts/known-facts.ts';
import { bothRead, day, start } from './sample-visit-facts.ts';

const now = start + 30 * day;

function kept(readAt: Record<string, number>, version: string | null = '1.0.0-beta.9'): KnownFacts {
  return { facts: bothRead(now, { version, flags: ['version-mismatch'] }), readAt, checkedAt: now };
}

function flags(record: KnownFacts, context: Partial<FlagContext> = {}) {
  return derivedFlags(record, { at: now, staleDays: 7, newest: null, hasCrowdedDomain: false, ...context });
}

describe('derivedFlags', () => {
  it('finds none where all is fresh and nothing newer is known', () => {
    expect(flags(kept({ name: now, usage: now }))).toEqual([]);
  });

  it('calls an older version outdated, and neither the newest nor a newer one', () => {
    expect(flags(kept({}), { newest: '1.0.0-beta.14' })).toEqual(['outdated']);
    expect(flags(kept({}), { newest: '1.0.0-beta.9' })).toEqual([]);
    expect(flags(kept({}), { newest: '1.0.0-beta.8' })).toEqual([]);
  });

  it('calls no version outdated that is unknown or cannot be compared', () => {
    expect(flags(kept({}, null), { newest: '1.0.0' })).toEqual([]);
    expect(flags(kept({}, 'main-4f2a'), { newest: '1.0.0' })).toEqual([]);
    expect(flags(kept({}), { newest: 'latest' })).toEqual([]);
  });

  it('calls facts stale once one of them was last read longer ago than the days of the setting', () => {
    expect(flags(kept({ name: now, usage: now - 7 * day }))).toEqual([]);
    expect(flags(kept({ name: now, usage: now - 7 * day - 1 }))).toEqual(['stale-facts']);
    expect(flags(kept({ name: now, usage: now - 7 * day - 1 }), { staleDays: 8 })).toEqual([]);
  });

  it('lets facts grow stale by the time of reading alone', () => {
    const record = kept({ name: now });
    expect(flags(record, { at: now + 7 * day })).toEqual([]);
    expect(flags(record, { at: now + 8 * day })).toEqual(['stale-facts']);
  });

  it('does not take what is unknown for stale', () => {
    expect(flags(kept({}))).toEqual([]);
  });

  it('tells a crowded domain, and all three together in the order of the vocabulary', () => {
    expect(flags(kept({}), { hasCrowdedDomain: true })).toEqual(['crowded-domain']);
    const all = flags(kept({ name: start }), { hasCrowdedDomain: true, newest: '2.0.0' });
    expect(all).toEqual(['crowded-domain', 'outdated', 'stale-facts']);
  });

  it('leaves the flags of the instance itself to what is kept', () => {
    expect(flags(kept({}))).not.toContain('version-mismatch');
  });
});
