import type { FieldNote } from '../record/instance.ts';
import { LENGTHS } from '../record/text-lengths.ts';
import { cleanIdentifier, cleanText } from './clean-text.ts';
import { asObject, type JsonObject, property } from './json.ts';

const MAX_LIST = 64;

/**
 * Reads the fields of a remote document one by one. A field of the wrong type is unknown, leaves a note, and costs
 * nothing else; so does what a field should lie in. A missing or null one is unknown without a note.
 */
export interface FieldReader {
  text(path: string, maxLength: number): string | null;
  identifier(path: string, maxLength: number): string | null;
  boolean(path: string): boolean | null;
  /** A whole number, zero or more. */
  count(path: string): number | null;
  identifiers(path: string, maxLength: number): string[] | null;
  readonly notes: readonly FieldNote[];
}

/** @param document what the paths (`app.name`) start from. */
export function createFieldReader(document: JsonObject): FieldReader {
  const notes: FieldNote[] = [];

  function read<T>(path: string, expected: string, accept: (value: unknown) => T | null): T | null {
    const keys = path.split('.');
    let value: unknown = document;
    for (const [depth, key] of keys.entries()) {
      const parent = asObject(value);
      if (parent === null) return reject(keys.slice(0, depth).join('.'), 'an object', value);
      value = property(parent, key);
      if (value === undefined || value === null) return null;
    }
    const accepted = accept(value);
    return accepted === null ? reject(path, expected, value) : accepted;
  }

  function reject(field: string, expected: string, value: unknown): null {
    const isNoted = notes.some((note) => note.field === field);
    if (!isNoted) notes.push({ field, problem: `expected ${expected}, found ${describe(value)}` });
    return null;
  }

  return {
    notes,
    text: (path, maxLength) =>
      read(path, 'a string', (value) => (typeof value === 'string' ? cleanText(value, maxLength) : null)),
    identifier: (path, maxLength) =>
      read(path, 'a string', (value) => (typeof value === 'string' ? cleanIdentifier(value, maxLength) : null)),
    boolean: (path) => read(path, 'true or false', (value) => (typeof value === 'boolean' ? value : null)),
    count: (path) =>
      read(path, 'a whole number', (value) =>
        Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : null,
      ),
    identifiers: (path, maxLength) =>
      read(path, `a list of at most ${MAX_LIST} strings`, (value) =>
        Array.isArray(value) && value.length <= MAX_LIST && value.every((item) => typeof item === 'string')
          ? value.map((item: string) => cleanIdentifier(item, maxLength))
          : null,
      ),
  };
}

function describe(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'an object';
  // A number too large for a double is Infinity here, which JSON has no word for.
  return `the ${typeof value} ${cleanIdentifier(typeof value === 'string' ? JSON.stringify(value) : String(value), LENGTHS.cited)}`;
}
