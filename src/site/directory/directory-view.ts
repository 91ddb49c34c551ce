import { type Browsed, browse } from '../../directory/browse/browse.ts';
import { type Choice, filtersOf, NO_CHOICE } from '../../directory/browse/choice.ts';
import { fairOrder } from '../../directory/browse/fair-order.ts';
import { filterValuesOf } from '../../directory/browse/filter-values.ts';
import { type Joinability, joinabilityOf } from '../../directory/joinability.ts';
import type { InstanceCounts } from '../../directory/schema/instances-file.ts';
import type { ListedInstance, Snapshot } from '../../directory/snapshot.ts';
import type { Site } from '../site.ts';
import type { Place } from './choice-url.ts';
import type { InstanceWithValues } from './instance-card.ts';

/** Instances on one page, by view. */
export const PER_PAGE = { cards: 36, table: 100 } as const;

/** What one page of the directory shows. */
export interface DirectoryView {
  readonly place: Place;
  readonly pages: number;
  /** Number of instances found by the choice. */
  readonly found: number;
  /** Those on this page. */
  readonly shown: readonly InstanceWithValues[];
  /** The choice to which a filter link adds its filter. Empty on a static page with a filter, which cannot combine filters without its script. */
  readonly base: Choice;
  /** The result for {@link base}, with the number of instances for each filter. */
  readonly facets: Browsed;
  /** Each filter of the choice, with the number of instances found without it. */
  readonly without: Browsed['without'];
  readonly counts: InstanceCounts;
  /** Instances that the directory sends people to. */
  readonly joinable: readonly ListedInstance[];
  readonly joinabilities: readonly (readonly [Joinability, number])[];
}

/** Null for a page after the last. */
export function directoryView(snapshot: Snapshot, place: Place, mode: Site['mode']): DirectoryView | null {
  const found = browse(snapshot, place.choice);
  const size = PER_PAGE[place.view];
  const pages = Math.max(1, Math.ceil(found.instances.length / size));
  if (place.page > pages) return null;
  const filterValues = filterValuesOf(snapshot);
  const shown = found.instances.slice((place.page - 1) * size, place.page * size).flatMap((instance) => {
    const values = filterValues.get(instance);
    return values === undefined ? [] : [{ instance, filterValues: values }];
  });
  const canCombine = mode === 'live' || filtersOf(place.choice).length === 0;
  const base = canCombine ? place.choice : NO_CHOICE;
  return {
    ...{ place, pages, found: found.instances.length, shown, base, without: found.without },
    facets: canCombine ? found : browse(snapshot, NO_CHOICE),
    counts: snapshot.counts,
    joinable: joinable(snapshot),
    joinabilities: joinabilities(snapshot),
  };
}

/** The instances that the directory sends people to, in fair order. */
export function joinable(snapshot: Snapshot): readonly ListedInstance[] {
  return fairOrder(snapshot).filter(({ entry }) => entry.joinable);
}

/** How many instances there are for each reason why they are joinable or not, the most frequent first. */
export function joinabilities(snapshot: Snapshot): [Joinability, number][] {
  const counts = new Map<Joinability, number>();
  for (const { entry } of snapshot.instances) {
    const joinability = joinabilityOf(entry);
    counts.set(joinability, (counts.get(joinability) ?? 0) + 1);
  }
  return [...counts].sort(([, one], [, other]) => other - one);
}
