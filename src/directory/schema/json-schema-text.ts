import { z } from 'zod';
import { SCHEMA_VERSION } from './fields.ts';

/**
 * The JSON Schema (draft 2020-12) of a shape, as file content. Its `$id` is a URN, which cannot be fetched.
 *
 * Objects and vocabularies are open: a consumer that validates with an older schema must not break on an added field or word.
 *
 * @param name file name without `.json`: `instances`, `domains`.
 */
export function jsonSchemaText(name: string, shape: z.ZodType): string {
  const text = texts.get(shape) ?? makeText(name, shape);
  texts.set(shape, text);
  return text;
}

/** Shapes do not change, and have one name each. */
const texts = new WeakMap<z.ZodType, string>();

function makeText(name: string, shape: z.ZodType): string {
  const { $schema, ...rest } = z.toJSONSchema(shape, {
    target: 'draft-2020-12',
    io: 'input',
    override: ({ jsonSchema }) => openVocabulary(jsonSchema),
  });
  const head = {
    $schema,
    $id: `urn:loopscout:schema:${name}:${SCHEMA_VERSION}`,
    $comment: `schemaVersion ${SCHEMA_VERSION}`,
  };
  return `${JSON.stringify({ ...head, ...rest }, null, 2)}\n`;
}

/** The description of the open branch of a vocabulary; {@link openVocabulary} recognises the branch by it. */
export const UNKNOWN_VALUE_DESCRIPTION = 'A word of a later version.';

interface Node {
  type?: unknown;
  enum?: unknown[] | undefined;
  anyOf?: unknown[] | undefined;
}

/**
 * Opens a vocabulary in a JSON Schema, in place: lists the current words and accepts any other string. Words are added without a new
 * `schemaVersion`, and validation with an older schema must not fail on them. Leaves other nodes unchanged. Call it for every node,
 * children first.
 */
export function openVocabulary(node: Node): void {
  if (node.type === 'string' && node.enum !== undefined) {
    const words = node.enum;
    delete node.type;
    delete node.enum;
    node.anyOf = [
      { type: 'string', enum: words },
      { type: 'string', description: UNKNOWN_VALUE_DESCRIPTION },
    ];
  }
  // A nullable vocabulary is an `anyOf` in an `anyOf`, which is flattened.
  if (node.anyOf?.some(isOpen))
    node.anyOf = node.anyOf.flatMap((option) => (isOpen(option) ? (option as Node).anyOf : [option]));
}

function isOpen(node: unknown): boolean {
  const { anyOf = [] } = node as Node;
  return anyOf.some((option) => (option as { description?: unknown }).description === UNKNOWN_VALUE_DESCRIPTION);
}
