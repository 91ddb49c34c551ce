import { describe, expect, it } from 'vitest';
import { instanceEntryOf } from '../../src/directory/instance-entry-of.ts';
import type { DomainRecord } from '../../src/model/domain-record.ts';
import { instanceRecordOf } from '../export/record-of.ts';

const statusOf = (record: Partial<DomainRecord>) => instanceEntryOf(instanceRecordOf('a.example.org', record)).status;

describe('the published status', () => {
  it('is down while visits fail', () => {
    expect(statusOf({ state: 'failing', verdict: 'unreachable', reason: 'connect-refused' })).toBe('down');
  });

  it.each(['robots-forbidden', 'rate-limited', 'forbidden-address', 'config-software', 'connect-refused'] as const)(
    'is up in the active state, whatever the last visit returned: %s',
    (reason) => {
      expect(statusOf({ state: 'active', reason })).toBe('up');
    },
  );
});

describe('the growth of a month', () => {
  const record = instanceRecordOf('a.example.org');
  const { usage } = record.facts;
  const before = { at: 0, users: 88, activeMonth: 1, activeHalfyear: 1, posts: 1 };

  it.each([
    ['is the change of the users', {}, 12],
    ['is negative when users left', { usageBefore: { ...before, users: 130 } }, -30],
    ['is unknown without a count of then', { usageBefore: null }, null],
    ['is unknown when the users of then are', { usageBefore: { ...before, users: null } }, null],
    ['is unknown when the users of now are', { facts: { ...record.facts, usage: { ...usage, users: null } } }, null],
    ['is unknown when the users of then are absurd', { usageBefore: { ...before, users: 1e10 } }, null],
    ['is unknown when the counts are random', { facts: { ...record.facts, flags: ['counts-random'] } }, null],
    ['is unknown while the instance is down', { state: 'failing' }, null],
  ] as const)('%s', (_claim, changes, growth) => {
    expect(instanceEntryOf({ ...record, usageBefore: before, ...changes } as typeof record).growth).toBe(growth);
  });
});
