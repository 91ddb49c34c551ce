import semver from 'semver';

/**
 * Whether a version precedes another by Semantic Versioning 2.0.0 (section 11). A leading `v` and build metadata are ignored. Null when
 * either is not a semantic version.
 */
export function isOlder(version: string, than: string): boolean | null {
  const left = parse(version);
  const right = parse(than);
  return left === null || right === null ? null : left.compare(right) < 0;
}

/**
 * The newest version seen under at least two registrable domains, without `v` and build metadata; null when there is none. A version
 * that only one domain reports is ignored: a single server could make all others outdated.
 */
export function newestVersion(seen: Iterable<{ version: string; registrableDomain: string }>): string | null {
  const firstDomainOf = new Map<string, string>();
  const parseCached = createCachedParser();
  let newest: semver.SemVer | null = null;
  for (const { version, registrableDomain } of seen) {
    const parsed = parseCached(version);
    if (parsed === null || (newest !== null && parsed.compare(newest) <= 0)) continue;
    const firstDomain = firstDomainOf.get(parsed.version);
    if (firstDomain === undefined) firstDomainOf.set(parsed.version, registrableDomain);
    else if (firstDomain !== registrableDomain) newest = parsed;
  }
  return newest?.version ?? null;
}

function parse(version: string): semver.SemVer | null {
  return semver.parse(version, { loose: true });
}

/** Thousands of instances run a handful of versions. */
function createCachedParser(): typeof parse {
  const cache = new Map<string, semver.SemVer | null>();
  return (version) => {
    const cached = cache.get(version);
    if (cached !== undefined) return cached;
    const parsed = parse(version);
    cache.set(version, parsed);
    return parsed;
  };
}
