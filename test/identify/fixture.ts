import { readdirSync, readFileSync } from 'node:fs';
import type { JsonObject } from '../../src/identify/field-reader.ts';

const folder = new URL('./fixtures/', import.meta.url);

/** The names of all fixtures with this prefix; each is named after what is special about it. */
export function fixtureNames(prefix: string): string[] {
  return readdirSync(folder)
    .filter((file) => file.startsWith(prefix))
    .map((file) => file.replace(/\.json$/, ''));
}

export function fixture(name: string): JsonObject {
  return JSON.parse(readFileSync(new URL(`${name}.json`, folder), 'utf8')) as JsonObject;
}
