import { describe, expect, it } from 'vitest';
import { wasNodeInfoRead } from '../../src/model/visit.ts';
import { bothRead, configOnly, nodeInfoOnly, noUsage, start } from './facts/sample-visit-facts.ts';

describe('wasNodeInfoRead', () => {
  it.each([
    ['NodeInfo identified the instance', nodeInfoOnly(start, { usage: noUsage }), 'nodeinfo', true],
    ['NodeInfo was read after config', bothRead(start), 'config', true],
    ['NodeInfo was read after config and has no counts', bothRead(start, { usage: noUsage }), 'config', true],
    ['NodeInfo could not be read', configOnly(start), 'config', false],
    ['federation is off', configOnly(start, { federation: false, flags: [] }), 'config', false],
    ['config does not say whether federation is on', bothRead(start, { federation: null }), 'config', true],
  ] as const)('is correct if %s', (_, facts, via, wasRead) => {
    expect(wasNodeInfoRead(facts, via)).toBe(wasRead);
  });
});
