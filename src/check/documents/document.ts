import { visit } from 'jsonc-parser';
import type { HttpFailure } from '../../http/failure.ts';
import { asObject, isTooDeep, type JsonObject, MAX_DEPTH, property } from '../../identify/json.ts';
import { classifyPage } from '../../identify/page-class.ts';
import { jsonFault } from '../../model/text/json-fault.ts';
import type { Exchange } from '../evidence.ts';
import { showValue } from '../words.ts';

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
  /** Not JSON, or JSON that is no object. */
  | { kind: 'not-json'; problem: JsonProblem }
  | JsonDocument;

interface JsonDocument {
  kind: 'object';
  document: JsonObject;
  hasByteOrderMark: boolean;
  isUtf8: boolean;
  /** Paths of members that stand in their object more than once; `[]` stands for any place in a list. */
  duplicates: readonly string[];
}

/** Why a body is not the JSON object that was asked for. */
export interface JsonProblem {
  code: 'empty' | 'page' | 'other-text' | 'cut-off' | 'after-end' | 'invalid' | 'too-deep' | 'not-an-object';
  /** The end of a sentence about the body. */
  text: string;
}

const readings = new WeakMap<Exchange, DocumentReading>();

/** Tells what an answer is. An answer is read once, since most rules ask for the same few. */
export function documentOf(exchange: Exchange | null): DocumentReading {
  if (exchange === null) return { kind: 'unasked' };
  const known = readings.get(exchange);
  if (known !== undefined) return known;
  const reading = readAnswer(exchange);
  readings.set(exchange, reading);
  return reading;
}

function readAnswer({ status, headers, body, failure, detail, url }: Exchange): DocumentReading {
  if (failure !== null) return { kind: 'failure', failure, detail };
  if (status === null) return { kind: 'failure', failure: 'connection-reset', detail };
  const page = classifyPage({ status, headers, body });
  if (page?.class === 'challenge-page') return { kind: 'challenge', by: page.by, status };
  if (status >= 300 && status < 400 && headers.location !== undefined)
    return { kind: 'redirect', status, location: headers.location, to: URL.parse(headers.location, url) };
  if (status < 200 || status >= 300) return { kind: 'status', status };
  return readObject(body);
}

const TOO_DEEP: JsonProblem = { code: 'too-deep', text: `has objects and lists nested over ${MAX_DEPTH} deep` };

/** Reads a body as a JSON object (RFC 8259) and tells what is odd about it. */
function readObject(body: Uint8Array): DocumentReading {
  const text = new TextDecoder().decode(body);
  const problem = jsonProblem(text) ?? (isTooDeep(text) ? TOO_DEEP : null);
  if (problem !== null) return { kind: 'not-json', problem };
  const value: unknown = JSON.parse(text);
  const document = asObject(value);
  if (document === null) {
    const notAnObject = `is JSON, but not an object: ${showValue(value)}`;
    return { kind: 'not-json', problem: { code: 'not-an-object', text: notAnObject } };
  }
  return {
    kind: 'object',
    document,
    hasByteOrderMark: hasByteOrderMark(body),
    isUtf8: isUtf8(body),
    duplicates: duplicateMembers(text),
  };
}

/** Why a text is not JSON, however deep it nests; null when it is. */
export function jsonProblem(text: string): JsonProblem | null {
  const fault = jsonFault(text);
  if (fault === null) return null;
  const trimmed = text.trim();
  if (trimmed === '') return { code: 'empty', text: 'is empty' };
  if (/^<(?:!doctype|html|\?xml|head|body|div)/i.test(trimmed)) return { code: 'page', text: 'is a page of HTML' };
  if (!/^[[{]/.test(trimmed))
    return { code: 'other-text', text: `begins with ${showValue(trimmed.slice(0, 40))}, which is not JSON` };
  const found = text.slice(fault.offset);
  switch (fault.kind) {
    case 'too-deep':
      return TOO_DEEP;
    case 'cut-off':
      return { code: 'cut-off', text: 'is cut off before its end' };
    case 'after-end':
      return {
        code: 'after-end',
        text: `goes on after the end of the JSON, with ${showValue(found.trim().slice(0, 60))}`,
      };
    case 'invalid': {
      const place = `line ${fault.line}, column ${fault.column}`;
      return {
        code: 'invalid',
        text: `is not valid JSON: ${place} has ${showValue(found.slice(0, 20))} in place of ${fault.expected}`,
      };
    }
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

function duplicateMembers(json: string): string[] {
  const duplicates = new Set<string>();
  const open: Set<string>[] = [];
  visit(json, {
    onObjectBegin: () => {
      open.push(new Set());
    },
    onObjectEnd: () => {
      open.pop();
    },
    onObjectProperty: (name, _offset, _length, _line, _character, pathOf) => {
      const names = open.at(-1);
      if (names?.has(name) === true)
        duplicates.add([...pathOf(), name].map((part) => (typeof part === 'number' ? '[]' : part)).join('.'));
      names?.add(name);
    },
  });
  return [...duplicates];
}

/** What is at a path such as `app.name`; undefined when it, or what it lies in, is not there or is no object. */
export function valueAt(document: JsonObject, path: string): unknown {
  let value: unknown = document;
  for (const key of path.split('.')) value = property(asObject(value), key);
  return value;
}
