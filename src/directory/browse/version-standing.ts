import semver from 'semver';
import { storedDomain } from '../../model/domain/domain.ts';
import { registrableDomainOf } from '../../model/domain/registrable-domain.ts';
import type { ListedInstance, Snapshot } from '../snapshot.ts';

/** How a version compares with the newest one. `far-behind`: at least three known releases are newer. */
export type Standing = 'current' | 'behind' | 'far-behind' | 'unknown';

const FAR_BEHIND = 3;

/**
 * Compares versions with the known releases: the newest one, and the older ones that instances on at least two registrable domains run,
 * so that no operator alone can invent a release.
 */
export function createStandings({ instances, newest }: Snapshot): (instance: ListedInstance) => Standing {
  const latest = newest === null ? null : semver.parse(newest.version, { loose: true });
  if (latest === null) return () => 'unknown';
  const releases = [latest, ...releasesBefore(latest, instances)];
  const standings = new Map<string, Standing>();
  return ({ version }) => {
    if (version === null) return 'unknown';
    let standing = standings.get(version.version);
    if (standing === undefined) {
      const newer = releases.filter((release) => release.compare(version) > 0).length;
      standing = newer === 0 ? 'current' : newer < FAR_BEHIND ? 'behind' : 'far-behind';
      standings.set(version.version, standing);
    }
    return standing;
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
