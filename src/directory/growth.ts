import type { StatsHistory } from './history/stats-history.ts';
import type { ListedInstance, Snapshot } from './snapshot.ts';

/** How the users of an instance changed in 30 days. */
export interface Growth {
  readonly instance: ListedInstance;
  readonly before: number;
  readonly now: number;
}

const growths = new WeakMap<Snapshot, { history: StatsHistory; growth: readonly Growth[] }>();

/** The growth of each instance whose users are known now and 30 days ago, and plausible, the largest first. Computed once. */
export function growthOf(snapshot: Snapshot, history: StatsHistory): readonly Growth[] {
  const known = growths.get(snapshot);
  if (known?.history === history) return known.growth;
  const growth = snapshot.instances
    .flatMap((instance): Growth[] => {
      const [before, now] = [history.usersBefore.get(instance.entry.domain), instance.counts.users];
      return before === undefined || now === null ? [] : [{ instance, before, now }];
    })
    .sort((one, other) => other.now - other.before - (one.now - one.before) || byDomain(one, other));
  growths.set(snapshot, { history, growth });
  return growth;
}

function byDomain(one: Growth, other: Growth): number {
  return one.instance.entry.domain < other.instance.entry.domain ? -1 : 1;
}
