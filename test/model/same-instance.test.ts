import fc from 'fast-check';
import { expect, test } from 'vitest';
import { storedDomain } from '../../src/model/domain/domain.ts';
import { isSecondaryDomain } from '../../src/model/same-instance.ts';
import { openStore } from '../../src/store/open-store.ts';
import { recordedVisit } from '../store/sample-visit.ts';
import { scratchPath, withSqlite } from '../store/scratch.ts';

const names = ['a.example.org', 'b.example.org', 'c.example.org', 'z.example.net'].map(storedDomain);

const row = fc.record({
  via: fc.constantFrom('config' as const, 'nodeinfo' as const),
  canonicalHost: fc.constantFrom(null, ...names),
  firstSeen: fc.integer({ min: 1, max: 3 }),
  isCopy: fc.boolean(),
});

test('isSecondaryDomain agrees with the directory', async () => {
  const path = scratchPath();
  await using store = await openStore({ path });
  store.domains.enter(names, 1);
  store.visits.record(store.due.pick(9, 1).map((picked) => recordedVisit(picked, 1)));
  using reader = store.reader();
  withSqlite(path, (sqlite) => {
    const update = sqlite.prepare(
      'update domains set via = @via, canonical_host = @canonicalHost, first_seen = @firstSeen where domain = @domain',
    );
    const withFlags = sqlite
      .prepare(
        `insert into fact_sets (facts) select json_insert(facts, '$.flags[#]', 'nodeinfo-other-host', '$.flags[#]', ?)
          from fact_sets limit 1 returning id`,
      )
      .pluck();
    // NodeInfo elsewhere makes a copy of a host without a config; one with a config must name the host there too.
    const elsewhere = withFlags.get('outdated');
    const copies = { config: [withFlags.get('names-other-host'), elsewhere], nodeinfo: [elsewhere, null] };
    const here = sqlite.prepare('select min(id) from fact_sets').pluck().get();
    const updateFacts = sqlite.prepare(
      'update facts set facts_id = ? where domain_id = (select id from domains where domain = ?)',
    );
    fc.assert(
      fc.property(fc.array(row, { minLength: names.length, maxLength: names.length }), (rows) => {
        const domains = rows.map((columns, index) => ({ ...columns, domain: names[index] ?? expect.fail() }));
        for (const { isCopy, ...columns } of domains) {
          update.run(columns);
          updateFacts.run(copies[columns.via][isCopy ? 0 : 1] ?? here, columns.domain);
        }
        const listed = [...reader.instances.listed(1)].map(({ domain }) => domain);
        const expected = domains.filter((entry) => !domains.some((other) => isSecondaryDomain(entry, other)));
        expect(listed).toEqual(expected.map(({ domain }) => domain));
      }),
      { numRuns: 100 },
    );
  });
});
