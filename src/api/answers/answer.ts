import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { type EpochMs, isoTime } from '../../model/time.ts';

/** The response of an endpoint. */
export interface Answer {
  readonly status: number;
  readonly type: string;
  readonly body: Buffer | Readable;
  readonly headers?: Readonly<Record<string, string>>;
  readonly cacheControl: string;
  /** The entity tag, unless derived from the body. */
  readonly etag?: string;
}

/** For content that changes with the directory. */
export const CACHE_ONE_MINUTE = 'public, max-age=60';
/** For content that changes only with the version or the settings. */
export const CACHE_FIVE_MINUTES = 'public, max-age=300';
export const NO_STORE = 'no-store';

const JSON_TYPE = 'application/json; charset=utf-8';
export const PROBLEM_TYPE = 'application/problem+json';
export const HTML_TYPE = 'text/html; charset=utf-8';

export function jsonAnswer(text: string, cacheControl: string): Answer {
  return { status: 200, type: JSON_TYPE, body: Buffer.from(text), cacheControl };
}

/**
 * JSON with `generatedAt` first, which is not part of the entity tag.
 *
 * @param rest a JSON object with at least one member.
 */
export function datedAnswer(at: EpochMs, rest: string, cacheControl: string): Answer {
  const text = `{"generatedAt":"${isoTime(at)}",${rest.slice(1)}`;
  return { ...jsonAnswer(text, cacheControl), etag: `W/"${digestOf(rest)}"` };
}

export function htmlAnswer(text: string, cacheControl: string): Answer {
  return { status: 200, type: HTML_TYPE, body: Buffer.from(text), cacheControl };
}

export function uncachedAnswer(type: string, text: string, status = 200): Answer {
  return { status, type, body: Buffer.from(text), cacheControl: NO_STORE };
}

export function uncachedJson(value: unknown, status = 200): Answer {
  return uncachedAnswer(JSON_TYPE, JSON.stringify(value), status);
}

/** The digest used as entity tag. */
export function digestOf(content: string | Buffer): string {
  return createHash('sha1').update(content).digest('base64url');
}
