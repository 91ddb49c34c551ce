import type { InstanceRecord } from '../../../src/model/instance-record.ts';
import { DAY_MS } from '../../../src/model/time.ts';
import { instanceRecordOf } from '../../export/record-of.ts';
import { unknownLimits } from '../../model/facts/unknown-facts.ts';
import { sampleHosting } from '../../store/sample-hosting.ts';

const VERSIONS = ['1.2.0', '1.1.0', '1.0.0', '0.9.0', 'nightly', null];

/** Listed instances, sorted by domain. With enough of them, every trait that filters and orders use takes each of its values. */
export function sampleRecords(count: number): InstanceRecord[] {
  return Array.from({ length: count }, (_, number) => {
    const flag = (offset: number) => [true, false, true, null][(number + offset) % 4] as boolean | null;
    const reportsNoFeatures = number % 13 === 12;
    const version = VERSIONS[number % VERSIONS.length] ?? null;
    const record = instanceRecordOf(`i${String(number).padStart(4, '0')}.s${number}-example.org`, {
      ...{ version, state: number % 11 === 10 ? 'failing' : 'active' },
      facts: {
        ...{ name: `Instance ${number}`, version },
        registration: { open: flag(number % 3), mode: number % 5 === 0 ? 'curated' : 'open' },
        limits: {
          ...unknownLimits,
          maxVideoSizeMB: [null, 40, 100, 500][number % 4] ?? null,
          maxVideoDurationSeconds: 30 * (number % 9),
        },
        features: {
          forYouFeed: reportsNoFeatures ? null : flag(0),
          pushNotifications: reportsNoFeatures ? null : flag(1),
          starterKits: reportsNoFeatures ? null : true,
          atomFeeds: reportsNoFeatures ? null : flag(2),
          gifProvider: reportsNoFeatures ? null : flag(3),
        },
      },
    });
    const share = number % 7 === 0 ? null : 1 - (number % 10) / 100;
    return {
      ...record,
      host: { ...record.host, hosting: sampleHosting(number) },
      firstSeen: record.firstSeen - (number % 14) * 32 * DAY_MS,
      facts: {
        ...record.facts,
        usage: { ...record.facts.usage, users: number % 6 === 0 ? null : (number * 37) % 101 },
      },
      usageBefore: record.usageBefore && { ...record.usageBefore, users: (number * 11) % 60 },
      uptime: { ...record.uptime, month: { share, coverage: 1 } },
    };
  });
}
