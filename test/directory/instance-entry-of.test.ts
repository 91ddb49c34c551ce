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
