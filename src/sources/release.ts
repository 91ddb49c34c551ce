import semver from 'semver';

export interface ReleaseRequest {
  /** Where the newest release is published, as JSON or as the bare version. */
  url: string;
  /** A guarded GET, bounded in time and size. */
  get: (url: URL, signal: AbortSignal) => Promise<{ ok: true; body: Uint8Array } | { ok: false; why: string }>;
  signal: AbortSignal;
}

type ReleaseAnswer = { ok: true; version: string } | { ok: false; why: string };

/** Asks for the newest release of the software. That it cannot be had is an answer with the reason, and never thrown. */
export async function fetchRelease({ url, get, signal }: ReleaseRequest): Promise<ReleaseAnswer> {
  if (signal.aborted) return { ok: false, why: `${url} was not asked: stopping` };
  const answer = await get(new URL(url), signal);
  if (!answer.ok) return { ok: false, why: `${url} gives no answer: ${answer.why}` };
  const release = parseRelease(documentOf(answer.body));
  return release === null
    ? { ok: false, why: `${url} answers with something that names no version` }
    : { ok: true, ...release };
}

/** JSON, or else the text itself. */
function documentOf(body: Uint8Array): unknown {
  const text = new TextDecoder().decode(body);
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

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
