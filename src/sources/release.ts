import { parseRelease } from './parse-release.ts';

export interface ReleaseRequest {
  /** Where the newest release is published, as JSON or as the bare version. */
  url: string;
  /** A guarded GET, bounded in time and size. */
  get: (url: URL, signal: AbortSignal) => Promise<{ ok: true; body: Uint8Array } | { ok: false; why: string }>;
  signal: AbortSignal;
}

export type ReleaseAnswer = { ok: true; version: string } | { ok: false; why: string };

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
