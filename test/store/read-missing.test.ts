import { expect, test } from 'vitest';
import type { InstanceFacts } from '../../src/model/facts/instance-facts.ts';
import { openStore } from '../../src/store/open-store.ts';
import { hour, loopsVisit, recordedVisit, sampleDomains, sampleFactsAt } from './sample-visit.ts';
import { scratchPath, withSqlite } from './scratch.ts';

test('changes, counts and instances say why a value is missing, as far as the visit is stored', async () => {
  const path = scratchPath();
  await using store = await openStore({ path });
  const domains = sampleDomains(1);
  const visitAt = (at: number, facts: Partial<InstanceFacts>) => {
    store.domains.requestVisit(domains, at);
    const visit = loopsVisit(domains[0] as never, at, { facts: { ...sampleFactsAt(at), ...facts } });
    store.visits.record(store.due.pick(1, at, domains).map((picked) => recordedVisit(picked, at, visit)));
  };
  const { limits, usage } = sampleFactsAt(0);
  visitAt(hour, {});
  visitAt(2 * hour, {
    limits: { ...limits, maxVideoSizeMB: null, maxVideoDurationSeconds: null },
    usage: { ...usage, users: null, posts: null, asOf: new Date(2 * hour).toISOString() },
    notes: ['media.max_video_size', 'usage.localPosts'].map((field) => ({ field, problem: 'found a list' })),
  });
  const read = () => {
    using reader = store.reader();
    return {
      changes: [...reader.changes.published()].flatMap(({ field, missing }) =>
        missing === null ? [] : [[field, missing]],
      ),
      counts: [...reader.usage.ofMonth('1970-01')].map(({ missing }) => missing),
      instances: [...reader.instances.listed(3 * hour)].map(({ missing }) => missing),
      ever: [...reader.instances.histories()].map(({ missing }) => missing),
    };
  };
  const ofNow = [
    'usage.users=not-reported',
    'usage.posts=unreadable',
    'limits.maxVideoSizeMB=unreadable',
    'limits.maxVideoDurationSeconds=not-reported',
  ];
  const changed = (size: string, duration: string) => [
    ['limits.maxVideoSizeMB', size],
    ['limits.maxVideoDurationSeconds', duration],
  ];
  const counts = [['users=not-reported', 'posts=unreadable']];
  const stored = read();
  for (const missing of [...stored.instances, ...stored.ever]) expect(missing).toEqual(expect.arrayContaining(ofNow));
  expect(stored).toMatchObject({ changes: changed('unreadable', 'not-reported'), counts });
  withSqlite(path, (sqlite) => sqlite.exec('delete from visits'));
  expect(read()).toMatchObject({
    changes: changed('unknown', 'unknown'),
    counts: [['users=unknown', 'posts=unknown']],
  });
});
