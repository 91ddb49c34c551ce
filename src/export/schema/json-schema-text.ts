import { z } from 'zod';

/**
 * The JSON Schema (draft 2020-12) of a shape, as the text of a file.
 *
 * Objects are left open: a consumer that validates with last year's schema must not break on a field added since.
 */
export function jsonSchemaText(shape: z.ZodType): string {
  return `${JSON.stringify(z.toJSONSchema(shape, { target: 'draft-2020-12', io: 'input' }), null, 2)}\n`;
}
