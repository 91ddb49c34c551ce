import type { FieldNote } from '../record/instance.ts';
import { cleanIdentifier, cleanText } from './clean-text.ts';
import { asObject, type JsonObject, property } from './json.ts';

const MAX_LIST = 64;

/**
 * Reads the fields of a remote document one by one. A field of the wrong type is unknown, leaves a note, and costs
 * nothing else; a missing or null one is unknown without a note.
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
    const value = path.split('.').reduce<unknown>((at, key) => property(asObject(at), key), document);
    if (value === undefined || value === null) return null;
    const accepted = accept(value);
    if (accepted === null) notes.push({ field: path, problem: `expected ${expected}, found ${describe(value)}` });
    return accepted;
  }

  return {
    notes,
    text: (path, maxLength) =>
      read(path, 'a string', (value) => (typeof value === 'string' ? cleanText(value, maxLength) : null)),
    identifier: (path, maxLength) =>
      read(path, 'a string', (value) => (typeof value === 'string' ? cleanIdentifier(value, maxLength) : null)),
    boolean: (path) => read(path, 'true or false', (value) => (typeof value === 'boolean' ? value : null)),
    count: (path) =>
      read(path, 'a whole number', (value) => (Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : null)),
    identifiers: (path, maxLength) =>
      read(path, 'a list of strings', (value) =>
        Array.isArray(value) && value.length <= MAX_LIST && value.every((item) => typeof item === 'string')
          ? value.map((item: string) => cleanIdentifier(item, maxLength))
          : null,
      ),
  };
}

function describe(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'an object';
  return `the ${typeof value} ${cleanIdentifier(JSON.stringify(value) ?? '', 40)}`;
}
