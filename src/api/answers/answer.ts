import { createHash } from 'node:crypto';
import { isoTime } from '../../export/iso-time.ts';
import type { ProblemError } from './problem-error.ts';

/** What is sent to a request, whole and unchanging, so that it can be sent again. */
export interface Answer {
  readonly status: number;
  readonly type: string;
  readonly body: Buffer;
  readonly cacheControl: string;
  /** What the entity tag is made of, without quotes; null when it has none, and is not compared. */
  readonly tag: string | null;
  /** So many bytes at the beginning say when it was made, always in the same length; 0: it does not say. */
  readonly datedBytes: number;
  /** Further headers, names and values in turn. */
  readonly headers: readonly string[];
}

/** How long a reader may keep what changes with the directory. */
export const SHORTLY = 'public, max-age=60';
/** What changes with a new version or new settings alone. */
export const LONGER = 'public, max-age=300';
export const NEVER = 'no-store';

const JSON_TYPE = 'application/json; charset=utf-8';
export const PROBLEM_TYPE = 'application/problem+json';
const HTML_TYPE = 'text/html; charset=utf-8';

export function jsonAnswer(text: string, cacheControl: string): Answer {
  return taggedAnswer(JSON_TYPE, text, cacheControl);
}

/**
 * JSON that says first when it was made, in `generatedAt`.
 *
 * @param at milliseconds since the epoch.
 * @param rest an object as JSON, with one member at least.
 */
export function datedAnswer(at: number, rest: string, cacheControl: string): Answer {
  const date = `{"generatedAt":"${isoTime(at)}",`;
  return { ...jsonAnswer(date + rest.slice(1), cacheControl), datedBytes: date.length };
}

/** Whether two answers differ in nothing but when they were made. */
export function saysTheSame(one: Answer, other: Answer): boolean {
  const { datedBytes, status, body } = one;
  if (datedBytes === 0 || datedBytes !== other.datedBytes || status !== other.status) return false;
  return body.subarray(datedBytes).equals(other.body.subarray(datedBytes));
}

export function htmlAnswer(text: string, cacheControl: string): Answer {
  return taggedAnswer(HTML_TYPE, text, cacheControl);
}

/** Of the moment, and not to be kept. */
export function momentaryAnswer(type: string, text: string, status = 200): Answer {
  return { status, type, body: Buffer.from(text), cacheControl: NEVER, tag: null, datedBytes: 0, headers: [] };
}

export function momentaryJson(value: unknown, status = 200): Answer {
  return momentaryAnswer(JSON_TYPE, JSON.stringify(value), status);
}

export function problemAnswer(error: ProblemError): Answer {
  const headers: string[] = [];
  if (error.retryAfterSeconds !== null) headers.push('retry-after', String(error.retryAfterSeconds));
  if (error.allow !== null) headers.push('allow', error.allow);
  return { ...momentaryAnswer(PROBLEM_TYPE, JSON.stringify(error.toProblem()), error.status), headers };
}

function taggedAnswer(type: string, text: string, cacheControl: string): Answer {
  const body = Buffer.from(text);
  const tag = createHash('sha256').update(body).digest('base64url').slice(0, 22);
  return { status: 200, type, body, cacheControl, tag, datedBytes: 0, headers: [] };
}
