import type { HttpFailure } from '../../http/failure.ts';
import { asObject, type JsonObject, property } from '../../identify/json.ts';
import { classifyPage } from '../../identify/page-class.ts';
import type { Exchange } from '../evidence.ts';
import { showText, showValue } from '../words.ts';

/** What a request for a JSON document brought. */
export type DocumentReading =
  /** It was not asked for. */
  | { kind: 'unasked' }
  | { kind: 'failure'; failure: HttpFailure; detail: string | null }
  /** A proxy wants to see a browser first. */
  | { kind: 'challenge'; by: string | null; status: number }
  /** `to` is null where the address is none. */
  | { kind: 'redirect'; status: number; location: string; to: URL | null }
  /** Any other status than 2xx. */
  | { kind: 'status'; status: number }
  /** Not JSON, or JSON that is no object; `problem` ends a sentence about the body. */
  | { kind: 'not-json'; problem: string; isPage: boolean }
  | { kind: 'object'; document: JsonObject; json: Extract<JsonReading, { ok: true }> };

/** Tells what an answer is. Pure. */
export function documentOf(exchange: Exchange | null): DocumentReading {
  if (exchange === null) return { kind: 'unasked' };
  const { status, headers, body, failure, detail, url } = exchange;
  if (failure !== null) return { kind: 'failure', failure, detail };
  if (status === null) return { kind: 'failure', failure: 'connection-reset', detail };
  const page = classifyPage({ status, headers, body });
  if (page?.class === 'challenge-page') return { kind: 'challenge', by: page.by, status };
  if (status >= 300 && status < 400 && headers.location !== undefined)
    return { kind: 'redirect', status, location: headers.location, to: URL.parse(headers.location, url) };
  if (status < 200 || status >= 300) return { kind: 'status', status };

  const json = readJson(body);
  if (!json.ok) return { kind: 'not-json', problem: json.problem, isPage: json.problem.includes('HTML') };
  const document = asObject(json.value);
  if (document === null)
    return { kind: 'not-json', problem: `is JSON, but not an object: ${showValue(json.value)}`, isPage: false };
  return { kind: 'object', document, json };
}

type JsonReading =
  | {
      ok: true;
      value: unknown;
      hasByteOrderMark: boolean;
      isUtf8: boolean;
      /** Paths of members that stand in their object more than once. */
      duplicates: readonly string[];
    }
  | { ok: false /** What is wrong, as the end of a sentence about the body. */; problem: string };

/** Reads a body as JSON (RFC 8259) and tells what is odd about it, or why it is none. Pure, and never throws. */
export function readJson(body: Uint8Array): JsonReading {
  const text = new TextDecoder().decode(body);
  const { end, duplicates, isTooDeep } = scanJson(text);
  if (isTooDeep) return { ok: false, problem: `has objects and lists nested over ${MOST_DEPTH} deep` };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { ok: false, problem: problemOf(text, end, error) };
  }
  return { ok: true, value, hasByteOrderMark: hasByteOrderMark(body), isUtf8: isUtf8(body), duplicates };
}

function problemOf(text: string, end: number | null, error: unknown): string {
  const trimmed = text.trim();
  if (trimmed === '') return 'is empty';
  if (/^<(?:!doctype|html|\?xml|head|body|div)/i.test(trimmed)) return 'is a page of HTML';
  if (!/^[[{]/.test(trimmed)) return `begins with ${showValue(trimmed.slice(0, 40))}, which is not JSON`;
  if (end === null) return 'is cut off before its end';
  const rest = text.slice(end).trim();
  if (rest !== '' && isJson(text.slice(0, end)))
    return `goes on after the end of the JSON, with ${showValue(rest.slice(0, 60))}`;
  return `is not valid JSON: ${showText(error instanceof Error ? error.message : String(error))}`;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function hasByteOrderMark([first, second, third]: Uint8Array): boolean {
  return first === 0xef && second === 0xbb && third === 0xbf;
}

function isUtf8(body: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(body);
    return true;
  } catch {
    return false;
  }
}

/** What a walk over JSON text shows that parsing it does not tell. */
interface JsonScan {
  /** Where the first object or list ends, one past its last character; null when it does not end. */
  end: number | null;
  /** Paths of members that stand in their object more than once. */
  duplicates: readonly string[];
  /** Whether objects and lists are inside one another too deep; the walk ends there. */
  isTooDeep: boolean;
}

/** Objects and lists inside one another that a crawl reads. */
const MOST_DEPTH = 64;

interface Open {
  /** Null for a list. */
  keys: Set<string> | null;
  /** The member that is being read. */
  key: string;
}

/** Walks over the first object or list of a text, be it valid or not. Never throws, and does not call itself. */
export function scanJson(text: string): JsonScan {
  const open: Open[] = [];
  const duplicates = new Set<string>();
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === '"') {
      const end = endOfString(text, at);
      if (end === null) return { end: null, duplicates: [...duplicates], isTooDeep: false };
      const top = open.at(-1);
      if (top?.keys != null && isFollowedByColon(text, end)) {
        top.key = decode(text.slice(at, end));
        if (top.keys.has(top.key)) duplicates.add(open.map(({ key }) => key || '[]').join('.'));
        top.keys.add(top.key);
      }
      at = end - 1;
    } else if (character === '{' || character === '[') {
      open.push({ keys: character === '{' ? new Set() : null, key: '' });
      if (open.length > MOST_DEPTH) return { end: null, duplicates: [...duplicates], isTooDeep: true };
    } else if ((character === '}' || character === ']') && open.length > 0) {
      open.pop();
      if (open.length === 0) return { end: at + 1, duplicates: [...duplicates], isTooDeep: false };
    }
  }
  return { end: null, duplicates: [...duplicates], isTooDeep: false };
}

/** One past the closing quote of the string that begins at a quote; null when there is none. */
function endOfString(text: string, start: number): number | null {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === '"') return at + 1;
  }
  return null;
}

function isFollowedByColon(text: string, from: number): boolean {
  let at = from;
  while (at < text.length && /\s/.test(text.charAt(at))) at++;
  return text[at] === ':';
}

function decode(quoted: string): string {
  try {
    return String(JSON.parse(quoted));
  } catch {
    return quoted;
  }
}

/** What is at a path such as `app.name`; undefined when it, or what it lies in, is not there or is no object. */
export function valueAt(document: JsonObject, path: string): unknown {
  let value: unknown = document;
  for (const key of path.split('.')) value = property(asObject(value), key);
  return value;
}
