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

function factsAfterFirstVisit(changes: Parameters<typeof bothRead>[1] = {}): KnownFacts {
  return updateKnownFacts(null, visitByConfig(start, { facts: bothRead(start, changes) }), []);
}

function visitByConfig(at: number, changes: Partial<VisitFacts> = {}): VisitFacts {
  return { facts: bothRead(at), via: 'config', nodeInfoRead: true, at, ...changes };
}

describe('updateKnownFacts', () => {
  it('stores the facts of a first visit unchanged, with the visit time as the read time of every known leaf', () => {
    const known = factsAfterFirstVisit();
    expect(known.facts).toEqual(bothRead(start));
    expect(known.checkedAt).toBe(start);
    expect(Object.keys(known.readAt).sort()).toEqual(
      [
        ...['name', 'description', 'software', 'version', 'registration.open', 'registration.mode', 'federation'],
        ...['features.forYouFeed', 'features.pushNotifications', 'features.starterKits', 'features.atomFeeds'],
        ...['features.gifProvider', 'gifProviderBrand', 'limits.maxVideoSizeMB', 'limits.maxVideoDurationSeconds'],
        ...['limits.videoFormats', 'limits.maxBioLength', 'usage'],
      ].sort(),
    );
    expect(new Set(Object.values(known.readAt))).toEqual(new Set([start]));
  });

  it('gives no age to a fact that was never known', () => {
    const known = updateKnownFacts(
      null,
      { facts: nodeInfoOnly(start), via: 'nodeinfo', nodeInfoRead: true, at: start },
      [],
    );
    expect(known.facts.federation).toBeNull();
    expect(Object.keys(known.readAt).sort()).toEqual([
      'description',
      'name',
      'registration.open',
      'software',
      'usage',
      'version',
    ]);
  });

  it('keeps facts that only config has, with their age, if config was not read', () => {
    const facts = nodeInfoOnly(later, { name: 'Renamed', version: '1.0.0-beta.14' });
    const known = updateKnownFacts(
      factsAfterFirstVisit(),
      { facts, via: 'nodeinfo', nodeInfoRead: true, at: later },
      [],
    );
    const { features, limits, federation, registration, gifProviderBrand } = bothRead(start);
    expect(known.facts).toMatchObject({ features, limits, federation, registration, gifProviderBrand });
    expect(known.facts).toMatchObject({ name: 'Renamed', version: '1.0.0-beta.14' });
    expect(known.readAt).toMatchObject({ 'limits.maxBioLength': start, federation: start, gifProviderBrand: start });
    expect(known.readAt).toMatchObject({ name: later, version: later, 'registration.open': later, usage: later });
    expect(known.checkedAt).toBe(later);
  });

  it('keeps a name that NodeInfo lacks if config was not read', () => {
    const facts = nodeInfoOnly(later, { name: null, description: null });
    const known = updateKnownFacts(
      factsAfterFirstVisit(),
      { facts, via: 'nodeinfo', nodeInfoRead: true, at: later },
      [],
    );
    expect(known.facts.name).toBe('Small Screen');
    expect(known.readAt).toMatchObject({ name: start, description: start });
  });

  it('drops facts that a config document no longer has', () => {
    const facts = bothRead(later, { name: null, federation: null, limits: nodeInfoOnly(later).limits });
    const known = updateKnownFacts(factsAfterFirstVisit(), visitByConfig(later, { facts }), []);
    expect(known.facts).toMatchObject({ name: null, federation: null, limits: { videoFormats: null } });
    expect(Object.keys(known.readAt)).not.toContain('name');
    expect(Object.keys(known.readAt)).not.toContain('limits.videoFormats');
  });

  it('treats false, zero and an empty list as known', () => {
    const limits = { ...bothRead(later).limits, videoFormats: [], maxBioLength: 0 };
    const facts = bothRead(later, { federation: false, name: '', limits, usage: usageAt(later, 0, 0) });
    const known = updateKnownFacts(factsAfterFirstVisit(), visitByConfig(later, { facts, nodeInfoRead: true }), []);
    expect(known.facts).toMatchObject({ federation: false, name: '', limits, usage: { users: 0, posts: 0 } });
    expect(known.readAt).toMatchObject({ federation: later, name: later, 'limits.videoFormats': later, usage: later });
  });

  it('keeps counts with their age if NodeInfo could not be read', () => {
    const known = updateKnownFacts(
      factsAfterFirstVisit(),
      visitByConfig(later, { facts: configOnly(later), nodeInfoRead: false }),
      [],
    );
    expect(known.facts.usage).toEqual(usageAt(start, 40));
    expect(known.readAt).toMatchObject({ usage: start, name: later });
  });

  it('keeps counts with their age if federation is off', () => {
    const facts = configOnly(later, { federation: false, flags: [] });
    const known = updateKnownFacts(factsAfterFirstVisit(), visitByConfig(later, { facts, nodeInfoRead: false }), []);
    expect(known.facts.federation).toBe(false);
    expect(known.facts.usage.asOf).toBe(new Date(start).toISOString());
    expect(known.readAt.usage).toBe(start);
  });

  it('keeps an age through any number of visits that do not read the fact', () => {
    let known = factsAfterFirstVisit();
    for (let visit = 1; visit <= 20; visit++) {
      const at = start + visit * day;
      known = updateKnownFacts(known, { facts: nodeInfoOnly(at), via: 'nodeinfo', nodeInfoRead: true, at }, []);
    }
    expect(known.readAt).toMatchObject({ federation: start, usage: start + 20 * day });
  });

  it('drops counts that a NodeInfo document no longer has', () => {
    const facts = bothRead(later, { usage: noUsage });
    const known = updateKnownFacts(factsAfterFirstVisit(), visitByConfig(later, { facts }), samplesOf([40]));
    expect(known.facts.usage).toEqual(noUsage);
    expect(Object.keys(known.readAt)).not.toContain('usage');
  });

  it('replaces counts together, including unknown ones', () => {
    const usage = { ...usageAt(later, 50), posts: null };
    const known = updateKnownFacts(
      factsAfterFirstVisit(),
      visitByConfig(later, { facts: bothRead(later, { usage }) }),
      [],
    );
    expect(known.facts.usage).toEqual(usage);
  });

  it('dates a fact without a read time by the last visit, and usage counts without one by their own date', () => {
    const before: KnownFacts = { facts: bothRead(start), readAt: {}, checkedAt: start + day };
    const at = start + 2 * day;
    const unread = updateKnownFacts(before, { facts: nodeInfoOnly(at), via: 'nodeinfo', nodeInfoRead: true, at }, []);
    expect(unread.readAt.federation).toBe(start + day);
    expect(
      updateKnownFacts(before, visitByConfig(at, { facts: configOnly(at), nodeInfoRead: false }), []).readAt.usage,
    ).toBe(start);
  });

  it('stores the notes and flags of the visit and adds the flags of its counts', () => {
    const notes = [{ field: 'fyf', problem: 'expected true or false, found the string "yes"' }];
    const facts = bothRead(later, { flags: ['wrong-type-field'], notes, usage: usageAt(later, 74_234) });
    const known = updateKnownFacts(
      factsAfterFirstVisit({ flags: ['app-url-mismatch'] }),
      visitByConfig(later, { facts }),
      samplesOf([5, 5, 5]),
    );
    expect(known.facts.notes).toEqual(notes);
    expect(known.facts.flags).toEqual(['wrong-type-field', 'users-jump']);
  });

  it('keeps the flags of counts for as long as it keeps the counts', () => {
    const earlier = samplesOf([5, 5, 74_234]);
    const facts = configOnly(later);
    const known = updateKnownFacts(
      factsAfterFirstVisit(),
      visitByConfig(later, { facts, nodeInfoRead: false }),
      earlier,
    );
    expect(known.facts.flags).toEqual(['nodeinfo-unavailable', 'users-jump']);
  });

  it('adds no flags for unknown counts', () => {
    const facts = bothRead(later, { usage: noUsage });
    const leaping = samplesOf([700, 90_000, 300, 80_000, 900]);
    expect(usageFlags(leaping)).toEqual(['counts-random']);
    expect(updateKnownFacts(factsAfterFirstVisit(), visitByConfig(later, { facts }), leaping).facts.flags).toEqual([]);
  });

  it('treats present counts as read, even if NodeInfo is marked as not read', () => {
    const known = updateKnownFacts(factsAfterFirstVisit(), visitByConfig(later, { nodeInfoRead: false }), []);
    expect(known.facts.usage).toEqual(usageAt(later, 40));
    expect(known.readAt.usage).toBe(later);
  });

  it('adds no flag twice', () => {
    const facts = bothRead(later, { flags: ['counts-absurd'], usage: usageAt(later, 2_000_000_000) });
    expect(updateKnownFacts(null, visitByConfig(later, { facts }), []).facts.flags).toEqual(['counts-absurd']);
  });

  it('modifies neither the known facts nor the visit', () => {
    const before = factsAfterFirstVisit();
    const visit = { facts: nodeInfoOnly(later), via: 'nodeinfo', nodeInfoRead: true, at: later } as const;
    const copies = structuredClone({ before, visit });
    updateKnownFacts(before, visit, []);
    expect({ before, visit }).toEqual(copies);
  });
});
