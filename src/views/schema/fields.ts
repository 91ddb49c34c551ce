import { z } from 'zod';
import { sourceOf } from '../../model/facts/fact-leaves.ts';
import { factMeta } from '../../model/facts/instance-facts.ts';

/** Version of every exported shape. Raised only when a field disappears or changes type; new fields do not raise it. */
export const SCHEMA_VERSION = 1;

/** A moment as ISO 8601 in UTC with milliseconds, as `Date.prototype.toISOString` writes it. */
export const Time = z.string().meta({ format: 'date-time' });

/** A day in UTC, ISO 8601: `2026-11-20`. */
export const Day = z.string().regex(/^\d{4}-\d\d-\d\d$/);

/** What the codebook says of a field beside its type and description. */
interface FieldNotes {
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

/** What was noted of a field; of a fact, its unit and its source by the table of facts. */
export function notesOf(schema: z.ZodType): FieldNotes {
  return { ...notesOfFact(schema), ...registry.get(schema) };
}

function notesOfFact(schema: z.ZodType): FieldNotes {
  const meta = factMeta.get(schema);
  if (meta === undefined) return {};
  const source = sourceOf(meta);
  return { ...(meta.unit !== undefined && { unit: meta.unit }), ...(source !== null && { source }) };
}

/** A field that holds a value, and where it is. */
export interface Leaf {
  readonly path: readonly string[];
  readonly schema: z.ZodType;
}

/** The fields of a shape that are no objects themselves, in order; objects are gone into, lists are not. */
export function leavesOf(shape: z.ZodObject, path: readonly string[] = []): Leaf[] {
  return Object.entries(shape.shape).flatMap(([name, schema]) => {
    const at = [...path, name];
    return schema instanceof z.ZodObject ? leavesOf(schema, at) : [{ path: at, schema: schema as z.ZodType }];
  });
}

/** Where the schema of a name is published. */
export function schemaPath(name: string): string {
  return `schema/${name}.json`;
}
