import { describe, expect, it } from 'vitest';
import { wasNodeInfoRead } from '../../src/model/visit.ts';
import { bothRead, configOnly, nodeInfoOnly, noUsage, start } from './facts/sample-visit-facts.ts';

describe('wasNodeInfoRead', () => {
  it.each([
    [true, 'NodeInfo identified the instance', nodeInfoOnly(start, { usage: noUsage }), 'nodeinfo'],
    [true, 'NodeInfo was read after config', bothRead(start), 'config'],
    [true, 'NodeInfo was read after config and has no counts', bothRead(start, { usage: noUsage }), 'config'],
    [false, 'NodeInfo could not be read', configOnly(start), 'config'],
    [false, 'federation is off', configOnly(start, { federation: false, flags: [] }), 'config'],
    [true, 'config does not say whether federation is on', bothRead(start, { federation: null }), 'config'],
  ] as const)('is %s if %s', (wasRead, _, facts, via) => {
    expect(wasNodeInfoRead(facts, via)).toBe(wasRead);
  });
});
