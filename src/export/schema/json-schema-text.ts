import { z } from 'zod';
import { growVocabulary } from './grow-vocabulary.ts';
import { SCHEMA_VERSION } from './schema-version.ts';

/**
 * The JSON Schema (draft 2020-12) of a shape, as the text of a file. Its `$id` names it and its version, and is no address to fetch.
 *
 * Objects and vocabularies are left open: a consumer that validates with last year's schema must not break on a field or a word added
 * since.
 *
 * @param name that of the file without `.json`: `instances`, `domains`.
 */
export function jsonSchemaText(name: string, shape: z.ZodType): string {
  const { $schema, ...rest } = z.toJSONSchema(shape, {
    target: 'draft-2020-12',
    io: 'input',
    override: ({ jsonSchema }) => growVocabulary(jsonSchema),
  });
  const head = {
    $schema,
    $id: `urn:loopscout:schema:${name}:${SCHEMA_VERSION}`,
    $comment: `schemaVersion ${SCHEMA_VERSION}`,
  };
  return `${JSON.stringify({ ...head, ...rest }, null, 2)}\n`;
}
