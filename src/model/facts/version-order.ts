import semver from 'semver';

/**
 * Whether a version comes before another by the order of Semantic Versioning 2.0.0 (section 11), prereleases before their release
 * and `beta.9` before `beta.14`. A leading `v` is passed over and so are build metadata; null when either is no such version, for
 * then nothing can be said.
 */
export function isOlder(version: string, than: string): boolean | null {
  const one = read(version);
  const other = read(than);
  return one === null || other === null ? null : one.compare(other) < 0;
}

/**
 * The newest version among those seen under at least two registrable domains, without `v` and build metadata; null when there is
 * none. What one domain alone claims does not count, else a single server could make all others outdated.
 */
export function newestVersion(seen: Iterable<{ version: string; registrableDomain: string }>): string | null {
  const domainOf = new Map<string, string>();
  const read = createCachedReader();
  let newest: semver.SemVer | null = null;
  for (const { version, registrableDomain } of seen) {
    const known = read(version);
    if (known === null || (newest !== null && known.compare(newest) <= 0)) continue;
    const first = domainOf.get(known.version);
    if (first === undefined) domainOf.set(known.version, registrableDomain);
    else if (first !== registrableDomain) newest = known;
  }
  return newest?.version ?? null;
}

function read(version: string): semver.SemVer | null {
  return semver.parse(version, { loose: true });
}

/** Thousands of instances run a handful of versions. */
function createCachedReader(): typeof read {
  const known = new Map<string, semver.SemVer | null>();
  return (version) => {
    const cached = known.get(version);
    if (cached !== undefined) return cached;
    const parsed = read(version);
    known.set(version, parsed);
    return parsed;
  };
}
