import { describe, expect, it } from 'vitest';
import { type KnownFacts, updateKnownFacts, type VisitFacts } from '../../../src/model/facts/known-facts.ts';
import { usageFlags } from '../../../src/model/facts/usage-flags.ts';
import {
  bothRead,
  configOnly,
  day,
  hour,
  nodeInfoOnly,
  noUsage,
  samplesOf,
  start,
  usageAt,
} from './sample-visit-facts.ts';

const later = start + 6 * hour;

function first(changes: Parameters<typeof bothRead>[1] = {}): KnownFacts {
  return updateKnownFacts(null, byConfig(start, { facts: bothRead(start, changes) }), []);
}

function byConfig(at: number, changes: Partial<VisitFacts> = {}): VisitFacts {
  return { facts: bothRead(at), via: 'config', nodeInfoRead: true, at, ...changes };
}

describe('keepFacts', () => {
  it('keeps a first reading as it is, each known leaf read then', () => {
    const kept = first();
    expect(kept.facts).toEqual(bothRead(start));
    expect(kept.checkedAt).toBe(start);
    expect(Object.keys(kept.readAt).sort()).toEqual(
      [
        ...['name', 'description', 'software', 'version', 'registration.open', 'registration.mode', 'federation'],
        ...['features.forYouFeed', 'features.pushNotifications', 'features.starterKits', 'features.atomFeeds'],
        ...['features.gifProvider', 'gifProviderBrand', 'limits.maxVideoSizeMB', 'limits.maxVideoDurationSeconds'],
        ...['limits.videoFormats', 'limits.maxBioLength', 'usage'],
      ].sort(),
    );
    expect(new Set(Object.values(kept.readAt))).toEqual(new Set([start]));
  });

  it('gives no age to what was never known', () => {
    const kept = updateKnownFacts(
      null,
      { facts: nodeInfoOnly(start), via: 'nodeinfo', nodeInfoRead: true, at: start },
      [],
    );
    expect(kept.facts.federation).toBeNull();
    expect(Object.keys(kept.readAt).sort()).toEqual([
      'description',
      'name',
      'registration.open',
      'software',
      'usage',
      'version',
    ]);
  });

  it('keeps what only config tells, with its age, where config was not read', () => {
    const facts = nodeInfoOnly(later, { name: 'Renamed', version: '1.0.0-beta.14' });
    const kept = updateKnownFacts(first(), { facts, via: 'nodeinfo', nodeInfoRead: true, at: later }, []);
    const { features, limits, federation, registration, gifProviderBrand } = bothRead(start);
    expect(kept.facts).toMatchObject({ features, limits, federation, registration, gifProviderBrand });
    expect(kept.facts).toMatchObject({ name: 'Renamed', version: '1.0.0-beta.14' });
    expect(kept.readAt).toMatchObject({ 'limits.maxBioLength': start, federation: start, gifProviderBrand: start });
    expect(kept.readAt).toMatchObject({ name: later, version: later, 'registration.open': later, usage: later });
    expect(kept.checkedAt).toBe(later);
  });

  it('keeps a name that NodeInfo does not tell where config was not read', () => {
    const facts = nodeInfoOnly(later, { name: null, description: null });
    const kept = updateKnownFacts(first(), { facts, via: 'nodeinfo', nodeInfoRead: true, at: later }, []);
    expect(kept.facts.name).toBe('Small Screen');
    expect(kept.readAt).toMatchObject({ name: start, description: start });
  });

  it('forgets what config was asked for and no longer tells', () => {
    const facts = bothRead(later, { name: null, federation: null, limits: nodeInfoOnly(later).limits });
    const kept = updateKnownFacts(first(), byConfig(later, { facts }), []);
    expect(kept.facts).toMatchObject({ name: null, federation: null, limits: { videoFormats: null } });
    expect(Object.keys(kept.readAt)).not.toContain('name');
    expect(Object.keys(kept.readAt)).not.toContain('limits.videoFormats');
  });

  it('takes false, zero and an empty list for known', () => {
    const limits = { ...bothRead(later).limits, videoFormats: [], maxBioLength: 0 };
    const facts = bothRead(later, { federation: false, name: '', limits, usage: usageAt(later, 0, 0) });
    const kept = updateKnownFacts(first(), byConfig(later, { facts, nodeInfoRead: true }), []);
    expect(kept.facts).toMatchObject({ federation: false, name: '', limits, usage: { users: 0, posts: 0 } });
    expect(kept.readAt).toMatchObject({ federation: later, name: later, 'limits.videoFormats': later, usage: later });
  });

  it('keeps counts with their age where NodeInfo could not be read', () => {
    const kept = updateKnownFacts(first(), byConfig(later, { facts: configOnly(later), nodeInfoRead: false }), []);
    expect(kept.facts.usage).toEqual(usageAt(start, 40));
    expect(kept.readAt).toMatchObject({ usage: start, name: later });
  });

  it('keeps counts with their age where federation was turned off', () => {
    const facts = configOnly(later, { federation: false, flags: [] });
    const kept = updateKnownFacts(first(), byConfig(later, { facts, nodeInfoRead: false }), []);
    expect(kept.facts.federation).toBe(false);
    expect(kept.facts.usage.asOf).toBe(new Date(start).toISOString());
    expect(kept.readAt.usage).toBe(start);
  });

  it('keeps an age through any number of visits that could not ask', () => {
    let kept = first();
    for (let visit = 1; visit <= 20; visit++) {
      const at = start + visit * day;
      kept = updateKnownFacts(kept, { facts: nodeInfoOnly(at), via: 'nodeinfo', nodeInfoRead: true, at }, []);
    }
    expect(kept.readAt).toMatchObject({ federation: start, usage: start + 20 * day });
  });

  it('forgets counts that a NodeInfo document no longer has', () => {
    const facts = bothRead(later, { usage: noUsage });
    const kept = updateKnownFacts(first(), byConfig(later, { facts }), samplesOf([40]));
    expect(kept.facts.usage).toEqual(noUsage);
    expect(Object.keys(kept.readAt)).not.toContain('usage');
  });

  it('takes counts as they were read, the unknown among them included', () => {
    const usage = { ...usageAt(later, 50), posts: null };
    const kept = updateKnownFacts(first(), byConfig(later, { facts: bothRead(later, { usage }) }), []);
    expect(kept.facts.usage).toEqual(usage);
  });

  it('takes what has no age of its own for read by the last visit, and counts by their own date', () => {
    const before: KnownFacts = { facts: bothRead(start), readAt: {}, checkedAt: start + day };
    const at = start + 2 * day;
    const unread = updateKnownFacts(before, { facts: nodeInfoOnly(at), via: 'nodeinfo', nodeInfoRead: true, at }, []);
    expect(unread.readAt.federation).toBe(start + day);
    expect(
      updateKnownFacts(before, byConfig(at, { facts: configOnly(at), nodeInfoRead: false }), []).readAt.usage,
    ).toBe(start);
  });

  it('takes the notes and flags of the visit, and adds what is odd about its counts', () => {
    const notes = [{ field: 'fyf', problem: 'expected true or false, found the string "yes"' }];
    const facts = bothRead(later, { flags: ['wrong-type-field'], notes, usage: usageAt(later, 74_234) });
    const kept = updateKnownFacts(
      first({ flags: ['app-url-mismatch'] }),
      byConfig(later, { facts }),
      samplesOf([5, 5, 5]),
    );
    expect(kept.facts.notes).toEqual(notes);
    expect(kept.facts.flags).toEqual(['wrong-type-field', 'users-jump']);
  });

  it('keeps what is odd about counts for as long as it keeps them', () => {
    const earlier = samplesOf([5, 5, 74_234]);
    const facts = configOnly(later);
    const kept = updateKnownFacts(first(), byConfig(later, { facts, nodeInfoRead: false }), earlier);
    expect(kept.facts.flags).toEqual(['nodeinfo-unavailable', 'users-jump']);
  });

  it('finds nothing odd about counts that are unknown', () => {
    const facts = bothRead(later, { usage: noUsage });
    const leaping = samplesOf([700, 90_000, 300, 80_000, 900]);
    expect(usageFlags(leaping)).toEqual(['counts-random']);
    expect(updateKnownFacts(first(), byConfig(later, { facts }), leaping).facts.flags).toEqual([]);
  });

  it('takes counts for read where there are some, whatever else is said of NodeInfo', () => {
    const kept = updateKnownFacts(first(), byConfig(later, { nodeInfoRead: false }), []);
    expect(kept.facts.usage).toEqual(usageAt(later, 40));
    expect(kept.readAt.usage).toBe(later);
  });

  it('names no flag twice', () => {
    const facts = bothRead(later, { flags: ['counts-absurd'], usage: usageAt(later, 2_000_000_000) });
    expect(updateKnownFacts(null, byConfig(later, { facts }), []).facts.flags).toEqual(['counts-absurd']);
  });

  it('changes neither what was kept nor what was read', () => {
    const before = first();
    const reading = { facts: nodeInfoOnly(later), via: 'nodeinfo', nodeInfoRead: true, at: later } as const;
    const copies = structuredClone({ before, reading });
    updateKnownFacts(before, reading, []);
    expect({ before, reading }).toEqual(copies);
  });
});
