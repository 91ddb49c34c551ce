import { z } from 'zod';

/** What the codebook says of a field beside its type and description. */
export interface FieldNotes {
  /** Unit of a number. */
  readonly unit?: string;
  /** Where the value comes from; holds for what is in it too. */
  readonly source?: string;
}

const registry = z.registry<FieldNotes>();

/**
 * Notes the unit and the source of a field. They are for the codebook and not part of the JSON Schema, where strict validators
 * refuse keywords they do not know.
 */
export function noted<Schema extends z.ZodType>(schema: Schema, notes: FieldNotes): Schema {
  registry.add(schema, notes);
  return schema;
}

export function notesOf(schema: z.ZodType): FieldNotes {
  return registry.get(schema) ?? {};
}
