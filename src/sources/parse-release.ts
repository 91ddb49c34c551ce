import semver from 'semver';

/** What a release is called in the documents of beacons and forges, the surest first. A `name` may be a title. */
const VERSION_KEYS = ['version', 'tag_name', 'latest', 'name'] as const;

/** Where such documents put the release when it is not the document itself. */
const NESTING_KEYS = ['latest', 'release', 'data'] as const;

/**
 * The newest release as a document names it: `{version}`, `{tag_name}`, `{latest}`, `{name}`, the same one level deeper, or the bare
 * string. A leading `v` and build metadata are dropped. Null when nothing there is a version (Semantic Versioning 2.0.0). Pure; never
 * throws.
 */
export function parseRelease(document: unknown): { version: string } | null {
  const version = versionIn(document) ?? nestedVersionIn(document);
  return version === null ? null : { version };
}

function nestedVersionIn(document: unknown): string | null {
  return first(NESTING_KEYS, (key) => versionIn(own(document, key)));
}

function versionIn(value: unknown): string | null {
  return asVersion(value) ?? first(VERSION_KEYS, (key) => asVersion(own(value, key)));
}

function asVersion(value: unknown): string | null {
  return typeof value === 'string' ? semver.valid(value.trim()) : null;
}

function own(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return Object.hasOwn(value, key) ? (value as Readonly<Record<string, unknown>>)[key] : undefined;
}

function first<Key>(keys: readonly Key[], of: (key: Key) => string | null): string | null {
  for (const key of keys) {
    const found = of(key);
    if (found !== null) return found;
  }
  return null;
}
