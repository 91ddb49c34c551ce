import { z } from 'zod';
import { whereReported } from '../../model/facts/fact-leaves.ts';
import { Hosting } from '../../model/facts/hosting.ts';
import { factMeta } from '../../model/facts/instance-facts.ts';

/** Version of every exported shape. Raised only when a field disappears or changes type; new fields do not raise it. */
export const SCHEMA_VERSION = 1;

/** A time in ISO 8601, UTC, with milliseconds, as written by `Date.prototype.toISOString`. */
export const Time = z.string().meta({ format: 'date-time' });

/** A day in UTC, ISO 8601: `2026-11-20`. */
export const Day = z.string().regex(/^\d{4}-\d\d-\d\d$/);

/** Details of a field for the codebook. */
interface FieldNotes {
  /** Unit of a number. */
  readonly unit?: string;
  /** The origin of the value; applies to nested fields too. */
  readonly source?: string;
}

const registry = z.registry<FieldNotes>();

/** Attaches codebook notes to a field. They are not part of the JSON Schema, where strict validators refuse unknown keywords. */
export function addCodebookNotes<Schema extends z.ZodType>(schema: Schema, notes: FieldNotes): Schema {
  registry.add(schema, notes);
  return schema;
}

/** The notes of a field. The unit and source of a fact come from the table of facts, unless notes were attached. */
export function notesOf(schema: z.ZodType): FieldNotes {
  return { ...notesOfFact(schema), ...registry.get(schema) };
}

function notesOfFact(schema: z.ZodType): FieldNotes {
  const meta = factMeta.get(schema);
  if (meta === undefined) return {};
  const source = whereReported(meta);
  return { ...(meta.unit !== undefined && { unit: meta.unit }), ...(source !== null && { source }) };
}

for (const leaf of Object.values(Hosting.shape))
  addCodebookNotes(leaf, { source: 'its address, looked up in files of the crawler', unit: 'none' });

export interface Leaf {
  readonly path: readonly string[];
  readonly schema: z.ZodType;
}

/** The leaf fields of a shape, in order. Descends into objects, but not into lists. */
export function leavesOf(shape: z.ZodObject, path: readonly string[] = []): Leaf[] {
  return Object.entries(shape.shape).flatMap(([name, schema]) => {
    const fieldPath = [...path, name];
    return schema instanceof z.ZodObject
      ? leavesOf(schema, fieldPath)
      : [{ path: fieldPath, schema: schema as z.ZodType }];
  });
}

/** The row of a table: each leaf of the shape under its path, joined by underscores, so that SQL needs no quotes. */
export function rowShapeOf(shape: z.ZodObject): z.ZodObject {
  return z.object(Object.fromEntries(leavesOf(shape).map(({ path, schema }) => [columnName(path), schema])));
}

export function columnName(path: readonly string[]): string {
  return path.join('_');
}

export function schemaPath(name: string): string {
  return `schema/${name}.json`;
}
