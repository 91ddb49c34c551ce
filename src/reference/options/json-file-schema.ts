import { z } from 'zod';

/** The JSON Schema (draft 2020-12) of a file of options or of a fleet, as text, for editors. */
export function jsonFileSchema(schema: z.ZodType): string {
  const document = z.toJSONSchema(schema, {
    io: 'input',
    override: ({ jsonSchema }) => {
      // What says nothing to an editor: that a number can be held, and how TypeScript sees a pair.
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      delete jsonSchema.readOnly;
    },
  });
  return `${JSON.stringify(document, null, 2)}\n`;
}
