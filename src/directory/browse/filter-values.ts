import semver from 'semver';
import { storedDomain } from '../../model/domain/domain.ts';
import { registrableDomainOf } from '../../model/domain/registrable-domain.ts';
import { FEATURES } from '../../model/facts/fact-leaves.ts';
import { byMinimum, type Minimum, measuredBy } from '../measures.ts';
import type { InstanceEntry } from '../schema/instance-entry.ts';
import type { ListedInstance, Snapshot } from '../snapshot.ts';
import { type Registration, registrationOf } from './registration.ts';

export type Feature = keyof InstanceEntry['features'];

/** How a version compares with the newest one. `far-behind`: at least three known releases are newer. */
export type VersionAge = 'current' | 'behind' | 'far-behind' | 'unknown';

/** What people choose an instance by. The numbers are those to which the minimums apply; null is unknown. */
export interface FilterValues extends Readonly<Record<Minimum, number | null>> {
  readonly registration: Registration;
  readonly standing: VersionAge;
  readonly version: string | null;
  readonly country: string | null;
  readonly network: string | null;
  readonly status: InstanceEntry['status'];
  /** The features offered; null when the instance doesn't report on any. */
  readonly features: readonly Feature[] | null;
}

const valuesBySnapshot = new WeakMap<Snapshot, ReadonlyMap<ListedInstance, FilterValues>>();

/** The filter values of all instances; computed once per snapshot. */
export function filterValuesOf(snapshot: Snapshot): ReadonlyMap<ListedInstance, FilterValues> {
  let filterValues = valuesBySnapshot.get(snapshot);
  if (filterValues === undefined) {
    const ageOf = createVersionAges(snapshot);
    filterValues = new Map(
      snapshot.instances.map((instance) => {
        const { registration, version, status, features, hosting } = instance.entry;
        const values = {
          registration: registrationOf(registration),
          standing: ageOf(instance),
          version,
          country: hosting.country,
          network: hosting.network,
          status,
          features: offeredFeatures(features),
          ...byMinimum((minimum) => measuredBy(minimum, instance, snapshot.at)),
        };
        return [instance, values];
      }),
    );
    valuesBySnapshot.set(snapshot, filterValues);
  }
  return filterValues;
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

const FAR_BEHIND = 3;

/**
 * Compares versions with the known releases: the newest one, and the older ones that instances on at least two registrable domains run,
 * so that no operator alone can invent a release.
 */
function createVersionAges({ instances, newest }: Snapshot): (instance: ListedInstance) => VersionAge {
  const latest = newest === null ? null : semver.parse(newest.version, { loose: true });
  if (latest === null) return () => 'unknown';
  const releases = [latest, ...releasesBefore(latest, instances)];
  const ages = new Map<string, VersionAge>();
  return ({ version }) => {
    if (version === null) return 'unknown';
    let age = ages.get(version.version);
    if (age === undefined) {
      const newer = releases.filter((release) => release.compare(version) > 0).length;
      age = newer === 0 ? 'current' : newer < FAR_BEHIND ? 'behind' : 'far-behind';
      ages.set(version.version, age);
    }
    return age;
  };
}

function releasesBefore(latest: semver.SemVer, instances: readonly ListedInstance[]): semver.SemVer[] {
  // By version: the only registrable domain that ran it so far; null once it is known whether the version is a release.
  const firstDomain = new Map<string, string | null>();
  const releases: semver.SemVer[] = [];
  for (const { version, entry } of instances) {
    if (version === null) continue;
    const first = firstDomain.get(version.version);
    if (first === null) continue;
    if (first === undefined && version.compare(latest) >= 0) {
      firstDomain.set(version.version, null);
      continue;
    }
    const domain = registrableDomainOf(storedDomain(entry.domain));
    if (first === undefined) firstDomain.set(version.version, domain);
    else if (first !== domain) {
      firstDomain.set(version.version, null);
      releases.push(version);
    }
  }
  return releases;
}
