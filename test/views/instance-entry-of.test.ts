import { describe, expect, it } from 'vitest';
import type { DomainRecord } from '../../src/model/domain-record.ts';
import { instanceEntryOf } from '../../src/views/instance-entry-of.ts';
import { instanceRecordOf } from '../export/record-of.ts';

const statusOf = (record: Partial<DomainRecord>) => instanceEntryOf(instanceRecordOf('a.example.org', record)).status;

describe('the published status', () => {
  it('is down while visits fail', () => {
    expect(statusOf({ state: 'failing', verdict: 'unreachable', reason: 'connect-refused' })).toBe('down');
  });

  it('is down when the name leads to a forbidden address, since nobody was contacted', () => {
    expect(statusOf({ state: 'active', verdict: 'declined', reason: 'forbidden-address' })).toBe('down');
  });

  it.each(['robots-forbidden', 'rate-limited', 'config-software'] as const)(
    'is up when the host answered, though with %s',
    (reason) => {
      expect(statusOf({ state: 'active', reason })).toBe('up');
    },
  );
});
