import { type FactLeaf, nestFacts, REPORTED_LEAVES, type ReportedFacts } from '../model/facts/fact-leaves.ts';
import type { FactValue } from '../model/facts/fact-value.ts';
import type { FieldNote, FieldType } from '../model/facts/instance-facts.ts';
import { cleanIdentifier, cleanText, LENGTHS } from '../model/text/clean-text.ts';

/** Objects and lists inside one another in a document we read; a deeper one is not read. */
export const MAX_DEPTH = 64;

const UTF8 = new TextDecoder();

export type JsonObject = Readonly<Record<string, unknown>>;

/**
 * A body as a JSON object; null when it is not one. A byte order mark is passed over (RFC 8259 section 8.1); nothing else
 * is repaired, so a document with anything after its end is not JSON.
 */
export function parseJsonObject(body: Uint8Array): JsonObject | null {
  const text = UTF8.decode(body);
  if (isTooDeep(text)) return null;
  try {
    return asObject(JSON.parse(text));
  } catch {
    return null;
  }
}

/** The value as an object, or null: a list is not one. */
export function asObject(value: unknown): JsonObject | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : null;
}

/** An own property: a document cannot reach what objects inherit. */
export function property(object: JsonObject | null, key: string): unknown {
  return object !== null && Object.hasOwn(object, key) ? object[key] : undefined;
}

/** Whether objects and lists are nested over {@link MAX_DEPTH} deep. Nearly every document opens fewer, which is quickly counted. */
export function isTooDeep(text: string): boolean {
  return count(text, '{') + count(text, '[') > MAX_DEPTH && depthExceeds(text);
}

function count(text: string, character: string): number {
  let found = 0;
  for (let at = text.indexOf(character); at !== -1; at = text.indexOf(character, at + 1)) found++;
  return found;
}

function depthExceeds(text: string): boolean {
  let depth = 0;
  let inString = false;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (inString) {
      if (code === 0x5c) i++;
      else if (code === 0x22) inString = false;
    } else if (code === 0x22) inString = true;
    else if (code === 0x7b || code === 0x5b) {
      if (++depth > MAX_DEPTH) return true;
    } else if (code === 0x7d || code === 0x5d) depth--;
  }
  return false;
}

const MAX_LIST = 64;

/** What is expected of a field of each type, and its value if it is so, else null. */
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

/**
 * Reads the fields of a remote document one by one. A field of the wrong type is unknown, leaves a note, and costs
 * nothing else; so does what a field should lie in. A missing or null one is unknown without a note.
 */
interface FieldReader {
  /**
   * @param path from the document down: `['app', 'name']`.
   * @param maxLength the most characters kept of a text.
   */
  read(path: readonly string[], type: FieldType, maxLength?: number): FactValue;
  readonly notes: readonly FieldNote[];
}

/** @param document what the paths start from. */
export function createFieldReader(document: JsonObject): FieldReader {
  const notes: FieldNote[] = [];

  function reject(field: string, expected: string, value: unknown): null {
    const isNoted = notes.some((note) => note.field === field);
    if (!isNoted) notes.push({ field, problem: `expected ${expected}, found ${describe(value)}` });
    return null;
  }

  return {
    notes,
    read(path, type, maxLength = Number.POSITIVE_INFINITY) {
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
  // A number too large for a double is Infinity here, which JSON has no word for.
  return `the ${typeof value} ${cleanIdentifier(typeof value === 'string' ? JSON.stringify(value) : String(value), LENGTHS.cited)}`;
}

type Document = 'config' | 'nodeinfo';
type ReadLeaf = (fields: FieldReader) => FactValue;

/** In the order of the facts; null for those that a document has no field for. */
const READERS: Readonly<Record<Document, readonly (ReadLeaf | null)[]>> = {
  config: REPORTED_LEAVES.map((leaf) => readerOf(leaf, 'config')),
  nodeinfo: REPORTED_LEAVES.map((leaf) => readerOf(leaf, 'nodeinfo')),
};

/** Reads the facts of a document field by field, from their paths in the table. */
export function readFacts(fields: FieldReader, document: Document): ReportedFacts {
  const readers = READERS[document];
  return nestFacts(REPORTED_LEAVES, (_leaf, index) => readers[index]?.(fields) ?? null) as ReportedFacts;
}

/** Reads the first valid value of a fact that goes by several names; all are read, so that each of the wrong type is noted. */
function readerOf({ meta }: FactLeaf, document: Document): ReadLeaf | null {
  const { type, maxLength, brands, [document]: paths } = meta;
  if (type === undefined || paths === undefined) return null;
  const names = paths.map((path) => ({ keys: path.split('.'), brand: brands?.[path] ?? null }));
  return (fields) => {
    let isFound = false;
    let fact: FactValue = null;
    for (const { keys, brand } of names) {
      const value = fields.read(keys, type, maxLength);
      if (isFound || value === null) continue;
      isFound = true;
      fact = brands === undefined ? value : brand;
    }
    return fact;
  };
}
