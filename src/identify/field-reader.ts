import { type FactLeaf, nestFacts, REPORTED_LEAVES, type ReportedFacts } from '../model/facts/fact-leaves.ts';
import type { FactValue } from '../model/facts/fact-value.ts';
import type { FieldNote, FieldType } from '../model/facts/instance-facts.ts';
import { cleanIdentifier, cleanText, LENGTHS } from '../model/text/clean-text.ts';

/** Deepest nesting of objects and lists in a document; deeper documents are rejected. */
export const MAX_DEPTH = 64;

const UTF8 = new TextDecoder();

export type JsonObject = Readonly<Record<string, unknown>>;

/** The body that was parsed last: a visit reads each of its documents up to three times in a row. */
let last: { body: Uint8Array; object: JsonObject | null } | undefined;

/**
 * Parses a body as a JSON object; null when it is not one. A byte order mark is ignored (RFC 8259 section 8.1), and invalid UTF-8
 * becomes U+FFFD; nothing else is repaired.
 */
export function parseJsonObject(body: Uint8Array): JsonObject | null {
  if (last?.body !== body) last = { body, object: parse(body) };
  return last.object;
}

function parse(body: Uint8Array): JsonObject | null {
  const text = UTF8.decode(body);
  if (isTooDeep(text)) return null;
  try {
    return asObject(JSON.parse(text));
  } catch {
    return null;
  }
}

/** The value as an object; null for a list and everything else. */
export function asObject(value: unknown): JsonObject | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : null;
}

/** An own property; never an inherited one. */
export function property(object: JsonObject | null, key: string): unknown {
  return object !== null && Object.hasOwn(object, key) ? object[key] : undefined;
}

/** Whether objects and lists nest deeper than {@link MAX_DEPTH}. Counting the brackets first is fast and settles nearly every document. */
export function isTooDeep(text: string): boolean {
  return count(text, '{') + count(text, '[') > MAX_DEPTH && depthExceeds(text);
}

function count(text: string, character: string): number {
  let found = 0;
  for (let at = text.indexOf(character); at !== -1; at = text.indexOf(character, at + 1)) found++;
  return found;
}

/** The UTF-16 codes of the characters that determine the nesting of JSON. */
const CODES = { quote: 0x22, backslash: 0x5c, openList: 0x5b, closeList: 0x5d, openObject: 0x7b, closeObject: 0x7d };

function depthExceeds(text: string): boolean {
  let depth = 0;
  let inString = false;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (inString) {
      if (code === CODES.backslash) i++;
      else if (code === CODES.quote) inString = false;
    } else if (code === CODES.quote) inString = true;
    else if (code === CODES.openObject || code === CODES.openList) {
      if (++depth > MAX_DEPTH) return true;
    } else if (code === CODES.closeObject || code === CODES.closeList) depth--;
  }
  return false;
}

const MAX_LIST = 64;

/** For each type of field, its description and a function that returns a valid value or null. */
const TYPES: Readonly<
  Record<FieldType, { expected: string; accept: (value: unknown, maxLength: number) => FactValue }>
> = {
  text: {
    expected: 'a string',
    accept: (value, maxLength) => (typeof value === 'string' ? cleanText(value, maxLength) : null),
  },
  identifier: {
    expected: 'a string',
    accept: (value, maxLength) => (typeof value === 'string' ? cleanIdentifier(value, maxLength) : null),
  },
  flag: { expected: 'true or false', accept: (value) => (typeof value === 'boolean' ? value : null) },
  count: {
    expected: 'a whole number',
    accept: (value) => (Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : null),
  },
  identifiers: {
    expected: `a list of at most ${MAX_LIST} strings`,
    accept: (value, maxLength) =>
      Array.isArray(value) && value.length <= MAX_LIST && value.every((item) => typeof item === 'string')
        ? value.map((item: string) => cleanIdentifier(item, maxLength))
        : null,
  },
};

type FieldReader = ReturnType<typeof createFieldReader>;

/**
 * Reads the fields of a remote document one by one. A field (or its parent) of the wrong type is unknown and adds a note; all other fields
 * are still read. A missing or null field is unknown without a note.
 */
export function createFieldReader(document: JsonObject) {
  const notes: FieldNote[] = [];

  function reject(field: string, expected: string, value: unknown): null {
    const isNoted = notes.some((note) => note.field === field);
    if (!isNoted) notes.push({ field, problem: `expected ${expected}, found ${describe(value)}` });
    return null;
  }

  return {
    notes: notes as readonly FieldNote[],
    /**
     * @param path from the root of the document: `['app', 'name']`.
     * @param maxLength maximum length of a text, in characters.
     */
    read(path: readonly string[], type: FieldType, maxLength = Number.POSITIVE_INFINITY): FactValue {
      let value: unknown = document;
      for (let depth = 0; depth < path.length; depth++) {
        const parent = asObject(value);
        if (parent === null) return reject(path.slice(0, depth).join('.'), 'an object', value);
        value = property(parent, path[depth] as string);
        if (value === undefined || value === null) return null;
      }
      const { expected, accept } = TYPES[type];
      return accept(value, maxLength) ?? reject(path.join('.'), expected, value);
    },
  };
}

function describe(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'an object';
  // A number too large for a double is Infinity, which JSON.stringify cannot represent.
  return `the ${typeof value} ${cleanIdentifier(typeof value === 'string' ? JSON.stringify(value) : String(value), LENGTHS.cited)}`;
}

type Document = 'config' | 'nodeinfo';
type ReadLeaf = (fields: FieldReader) => FactValue;

/** A reader for each fact, in the order of the table; null for a fact that the document does not contain. */
const READERS: Readonly<Record<Document, readonly (ReadLeaf | null)[]>> = {
  config: REPORTED_LEAVES.map((leaf) => readerOf(leaf, 'config')),
  nodeinfo: REPORTED_LEAVES.map((leaf) => readerOf(leaf, 'nodeinfo')),
};

/** Reads the facts of a document from their paths in the table of facts. */
export function readFacts(fields: FieldReader, document: Document): ReportedFacts {
  const readers = READERS[document];
  return nestFacts(REPORTED_LEAVES, (_leaf, index) => readers[index]?.(fields) ?? null) as ReportedFacts;
}

/** Creates the reader of a fact, which returns the first valid value among its paths. It reads all of them, so that every wrong type adds a note. */
function readerOf({ meta }: FactLeaf, document: Document): ReadLeaf | null {
  const { type, maxLength, brands, [document]: paths } = meta;
  if (type === undefined || paths === undefined) return null;
  const fields = paths.map((path) => ({ keys: path.split('.'), brand: brands?.[path] ?? null }));
  return (reader) => {
    let isFound = false;
    let fact: FactValue = null;
    for (const { keys, brand } of fields) {
      const value = reader.read(keys, type, maxLength);
      // An empty text says nothing.
      if (isFound || value === null || (value === '' && type === 'text')) continue;
      isFound = true;
      fact = brands === undefined ? value : brand;
    }
    return fact;
  };
}
