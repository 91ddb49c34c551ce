import { describe, expect, it } from 'vitest';
import type { DomainRecord } from '../../src/model/domain-record.ts';
import { instanceEntryOf } from '../../src/views/instance-entry-of.ts';
import { instanceRecordOf } from '../export/record-of.ts';

const statusOf = (record: Partial<DomainRecord>) => instanceEntryOf(instanceRecordOf('a.example.org', record)).status;

describe('the published status', () => {
  it('is down while visits fail', () => {
    expect(statusOf({ state: 'failing', verdict: 'unreachable', reason: 'connect-refused' })).toBe('down');
  });

  it('is down if the name resolves to a forbidden address, because the host was not contacted', () => {
    expect(statusOf({ state: 'active', verdict: 'declined', reason: 'forbidden-address' })).toBe('down');
  });

  it.each(['robots-forbidden', 'rate-limited', 'config-software'] as const)(
    'is up if the host answered, with the reason %s',
    (reason) => {
      expect(statusOf({ state: 'active', reason })).toBe('up');
    },
  );
});
