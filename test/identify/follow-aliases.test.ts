import { expect, it } from 'vitest';
import { AliasFollower } from '../../src/identify/aliases.ts';
import type { Domain } from '../../src/model/domain/domain.ts';
import { domainOf } from './scripted-visit.ts';

it('following aliases adds at most 10,000 hosts per pass, not counting known ones', () => {
  const known = new Set<Domain>();
  const follower = new AliasFollower(
    {
      aliasOf: () => null,
      enterFound: (domains) => {
        const before = known.size;
        for (const domain of domains) known.add(domain);
        return known.size - before;
      },
      requestVisit: () => expect.unreachable(),
    },
    () => 0,
  );
  const from = domainOf('from.example');
  const batch = (start: number, count: number) =>
    Array.from({ length: count }, (_, i) => ({ domain: from, aliasOf: domainOf(`h${start + i}.example`) }));
  for (let start = 0; start < 9_900; start += 300) follower.follow(batch(start, 300));
  follower.follow(batch(0, 300));
  follower.follow([{ domain: from, aliasOf: null }]);
  expect(known.size).toBe(9_900);
  follower.follow(batch(9_900, 300));
  follower.follow(batch(20_000, 300));
  expect(known.size).toBe(10_000);
});
