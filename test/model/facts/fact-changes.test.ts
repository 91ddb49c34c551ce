import { describe, expect, it } from 'vitest';
import { ChangedField } from '../../../src/model/change.ts';
import { findFactChanges } from '../../../src/model/facts/fact-changes.ts';
import { REPORTED_LEAVES } from '../../../src/model/facts/fact-leaves.ts';
import { FactValue } from '../../../src/model/facts/fact-value.ts';
import type { InstanceFacts } from '../../../src/model/facts/instance-facts.ts';
import { bothRead, day, nodeInfoOnly, start, usageAt } from './sample-visit-facts.ts';

const before = bothRead(start);
/** The facts that only the configuration reports. */
const ofConfig = REPORTED_LEAVES.filter(({ meta }) => meta.nodeinfo === undefined).map(({ path }) => path);

/** The changes found when these facts differ from `before`. */
function changesTo(changes: Partial<InstanceFacts>) {
  return findFactChanges(before, { ...before, ...changes });
}

describe('findFactChanges', () => {
  it('finds none in equal facts', () => {
    expect(findFactChanges(before, structuredClone(before))).toEqual([]);
  });

  it('finds none at the first visit', () => {
    expect(findFactChanges(null, before)).toEqual([]);
  });

  it('reports each leaf by its path, with the old and new value', () => {
    const { features, limits } = before;
    const changes = changesTo({
      registration: { open: false, mode: 'closed' },
      features: { ...features, atomFeeds: true },
      limits: { ...limits, maxBioLength: 0 },
    });
    expect(changes).toEqual([
      { field: 'registration.open', from: true, to: false, why: null },
      { field: 'registration.mode', from: 'curated', to: 'closed', why: null },
      { field: 'features.atomFeeds', from: false, to: true, why: null },
      { field: 'limits.maxBioLength', from: 500, to: 0, why: null },
    ]);
  });

  it('distinguishes a value that became unknown from false, zero or empty', () => {
    expect(changesTo({ federation: null })).toEqual([{ field: 'federation', from: true, to: null, why: null }]);
    expect(changesTo({ federation: false })).toEqual([{ field: 'federation', from: true, to: false, why: null }]);
    expect(changesTo({ name: '' })).toEqual([{ field: 'name', from: 'Small Screen', to: '', why: null }]);
  });

  it('reports a value that became known as a change from null', () => {
    const changes = findFactChanges(nodeInfoOnly(start), before);
    expect(changes.map(({ field }) => field)).toEqual(ofConfig);
    expect(changes.every(({ from, to }) => from === null && to !== null)).toBe(true);
  });

  it('compares formats by value and order', () => {
    const { limits } = before;
    const formats = (videoFormats: string[] | null) => changesTo({ limits: { ...limits, videoFormats } });
    expect(formats(['mp4', 'webm'])).toEqual([]);
    expect(formats(['webm', 'mp4'])).toEqual([
      { field: 'limits.videoFormats', from: ['mp4', 'webm'], to: ['webm', 'mp4'], why: null },
    ]);
    expect(formats([])).toMatchObject([{ to: [] }]);
    expect(formats(null)).toMatchObject([{ to: null }]);
  });

  it('compares flags as a set and reports them sorted', () => {
    const flagged = { ...before, flags: ['version-mismatch', 'app-url-mismatch'] } satisfies InstanceFacts;
    expect(findFactChanges(flagged, { ...flagged, flags: ['app-url-mismatch', 'version-mismatch'] })).toEqual([]);
    expect(findFactChanges(before, flagged)).toEqual([
      { field: 'flags', from: [], to: ['app-url-mismatch', 'version-mismatch'], why: null },
    ]);
    expect(flagged.flags).toEqual(['version-mismatch', 'app-url-mismatch']);
  });

  it('ignores counts and notes', () => {
    const notes = [{ field: 'fyf', problem: 'expected true or false, found a list' }];
    expect(changesTo({ usage: usageAt(start + day, 99), notes })).toEqual([]);
  });

  it('ignores software and version, whose changes findDomainChanges reports', () => {
    expect(changesTo({ software: 'loops-fork', version: '2.0.0' })).toEqual([]);
  });

  it('reports only fields and values that can be stored', () => {
    const other = nodeInfoOnly(start, { name: null, description: null, registration: { open: null, mode: null } });
    const changes = findFactChanges({ ...before, flags: ['users-jump'] }, other);
    const alsoChanged = ['name', 'description', 'registration.open', 'flags'];
    expect(changes.map(({ field }) => field).toSorted()).toEqual([...ofConfig, ...alsoChanged].toSorted());
    for (const { field, from, to } of changes) {
      expect(ChangedField.options).toContain(field);
      expect(FactValue.parse(from)).toEqual(from);
      expect(FactValue.parse(to)).toEqual(to);
    }
  });
});
