import { readFileSync } from 'node:fs';
import type { z } from 'zod';
import { checkJson, type FurtherCheck } from './check-json.ts';
import { JsonFileError } from './json-file-error.ts';

/**
 * Reads a JSON file that must keep to a schema, and to what `alsoWrong` says.
 * @throws {JsonFileError} when it cannot be read, is not JSON, or breaks them; it names everything wrong.
 */
export function readJsonFile<T>(path: string, schema: z.ZodType<T>, alsoWrong?: FurtherCheck): T {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw new JsonFileError(path, [`it cannot be read (${code}); name a JSON file that can`], { cause });
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new JsonFileError(path, [`it is not JSON: ${cause instanceof Error ? cause.message : cause}`], { cause });
  }
  return checkJson(path, value, schema, alsoWrong);
}
