import semver from 'semver';
import { ownValue } from './formats/read-item.ts';

export interface ReleaseRequest {
  /** URL of the newest release, as JSON or as a bare version. */
  url: string;
  /** A guarded GET, bounded in time and size. */
  get: (url: URL, signal: AbortSignal) => Promise<{ ok: true; body: Uint8Array } | { ok: false; why: string }>;
  signal: AbortSignal;
}

type ReleaseAnswer = { ok: true; version: string } | { ok: false; why: string };

/** Fetches the newest release of the software. Failures are returned, never thrown. */
export async function fetchRelease({ url, get, signal }: ReleaseRequest): Promise<ReleaseAnswer> {
  if (signal.aborted) return { ok: false, why: `${url} was not requested: stopping` };
  const answer = await get(new URL(url), signal);
  if (!answer.ok) return { ok: false, why: `${url} does not answer: ${answer.why}` };
  const release = parseRelease(parseJsonOrText(answer.body));
  return release === null ? { ok: false, why: `${url} answers without a version` } : { ok: true, ...release };
}

/** The parsed JSON, else the text itself. */
function parseJsonOrText(body: Uint8Array): unknown {
  const text = new TextDecoder().decode(body);
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Keys of the version in release documents, most reliable first. A `name` may be a title. */
const VERSION_KEYS = ['version', 'tag_name', 'latest', 'name'] as const;

/** Keys under which a document may nest the release. */
const NESTING_KEYS = ['latest', 'release', 'data'] as const;

/**
 * The version in a release document: `{version}`, `{tag_name}`, `{latest}`, `{name}`, the same under `latest`, `release` or `data`, or a bare string. A
 * leading `v` and build metadata are dropped. Null without a valid version (Semantic Versioning 2.0.0). Pure; never throws.
 */
export function parseRelease(document: unknown): { version: string } | null {
  const version = versionIn(document) ?? nestedVersionIn(document);
  return version === null ? null : { version };
}

function nestedVersionIn(document: unknown): string | null {
  return firstOf(NESTING_KEYS, (key) => versionIn(ownValue(document, [key])));
}

function versionIn(value: unknown): string | null {
  return asVersion(value) ?? firstOf(VERSION_KEYS, (key) => asVersion(ownValue(value, [key])));
}

function asVersion(value: unknown): string | null {
  return typeof value === 'string' ? semver.valid(value.trim()) : null;
}

function firstOf(keys: readonly string[], find: (key: string) => string | null): string | null {
  for (const key of keys) {
    const found = find(key);
    if (found !== null) return found;
  }
  return null;
}
