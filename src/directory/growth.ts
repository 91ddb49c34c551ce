import type { ListedInstance, Snapshot } from './snapshot.ts';

/** How the users of an instance changed in a month, see `InstanceEntry.growth`. */
export interface Growth {
  readonly instance: ListedInstance;
  readonly change: number;
  readonly now: number;
}

/** The growth of each instance for which it is known, the largest first. */
export function growthOf({ orders }: Snapshot): readonly Growth[] {
  return orders('-growth').flatMap((instance): Growth[] => {
    const { growth: change, usage } = instance.entry;
    return change === null || usage.users === null ? [] : [{ instance, change, now: usage.users }];
  });
}
