import { z } from 'zod';
import { SCHEMA_VERSION } from './fields.ts';

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

/** What is said of the words that are not among those of today. */
export const LATER_WORD = 'A word of a later version.';

interface Node {
  type?: unknown;
  enum?: unknown[] | undefined;
  anyOf?: unknown[] | undefined;
}

/**
 * Opens a vocabulary in a JSON Schema, in place: the words of today are named, and any other is a text all the same. Words are added
 * without a new `schemaVersion`, and who validates with last year's schema must not refuse the whole file for one of them. What is
 * no vocabulary is left as it is. To be called with every node, those inside before those around them.
 */
export function growVocabulary(node: Node): void {
  if (node.type === 'string' && node.enum !== undefined) {
    const words = node.enum;
    delete node.type;
    delete node.enum;
    node.anyOf = [
      { type: 'string', enum: words },
      { type: 'string', description: LATER_WORD },
    ];
  }
  // One that may be null as well: all that it can be in one list.
  if (node.anyOf?.some(isGrown)) node.anyOf = node.anyOf.flatMap((one) => (isGrown(one) ? (one as Node).anyOf : [one]));
}

function isGrown(node: unknown): boolean {
  const { anyOf = [] } = node as Node;
  return anyOf.some((one) => (one as { description?: unknown }).description === LATER_WORD);
}
