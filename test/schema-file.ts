import { z } from 'zod';

/** The JSON Schema (draft 2020-12) of a shape, as the content of a file in `data/`. @param head members that come before the others. */
export function schemaFile(shape: z.ZodType, head: { $id?: string; title?: string } = {}): string {
  const { $schema, ...rest } = z.toJSONSchema(shape, {
    io: 'input',
    override: ({ jsonSchema }) => {
      // Drops what is no limit: the bounds that zod adds to integers, and `readOnly`, which TypeScript alone needs.
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      delete jsonSchema.readOnly;
    },
  });
  return `${JSON.stringify({ $schema, ...head, ...rest }, null, 2)}\n`;
}

/** The first two members of the schema of `check --json`. A later version may add fields. */
export const REPORT_HEAD = { $id: 'urn:loopscout:schema:check-report:1', title: 'Report of loopscout check' };
