import { FEATURES } from '../../model/facts/fact-leaves.ts';
import type { InstanceEntry } from '../schema/instance-entry.ts';
import type { ListedInstance, Snapshot } from '../snapshot.ts';
import { createStandings, type Standing } from './version-standing.ts';

/** Who can join. `approval`: registration is on, in a reported mode other than `open`. */
export type Registration = 'open' | 'approval' | 'closed' | 'unknown';
export type Feature = keyof InstanceEntry['features'];

/** What people choose an instance by. */
export interface Traits {
  readonly registration: Registration;
  readonly standing: Standing;
  readonly version: string | null;
  readonly status: InstanceEntry['status'];
  /** The features offered; null when the instance doesn't report on any. */
  readonly features: readonly Feature[] | null;
}

const traitsBySnapshot = new WeakMap<Snapshot, ReadonlyMap<ListedInstance, Traits>>();

/** The traits of all instances; computed once per snapshot. */
export function traitsOf(snapshot: Snapshot): ReadonlyMap<ListedInstance, Traits> {
  let traits = traitsBySnapshot.get(snapshot);
  if (traits === undefined) {
    const standingOf = createStandings(snapshot);
    traits = new Map(
      snapshot.instances.map((instance) => {
        const { registration, version, status, features } = instance.entry;
        const instanceTraits = {
          registration: registrationOf(registration),
          standing: standingOf(instance),
          version,
          status,
          features: offeredFeatures(features),
        };
        return [instance, instanceTraits];
      }),
    );
    traitsBySnapshot.set(snapshot, traits);
  }
  return traits;
}

export function registrationOf({ open, mode }: InstanceEntry['registration']): Registration {
  if (open === null) return 'unknown';
  if (!open) return 'closed';
  return mode === null || mode === 'open' ? 'open' : 'approval';
}

function offeredFeatures(features: InstanceEntry['features']): readonly Feature[] | null {
  let isKnown = false;
  const offered: Feature[] = [];
  for (const { key } of FEATURES) {
    if (features[key] !== null) isKnown = true;
    if (features[key] === true) offered.push(key);
  }
  return isKnown ? offered : null;
}
