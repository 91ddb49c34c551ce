import { z } from 'zod';

/** A column of a table, as a field of a Table Schema (Data Package 2.0). */
const DataField = z.object({
  name: z.string(),
  type: z.enum(['string', 'date', 'datetime', 'integer', 'number', 'boolean', 'array', 'any']),
  description: z.string(),
  /** Of a number; not part of the standard. */
  unit: z.string().optional(),
  constraints: z.object({ required: z.literal(true) }).optional(),
});
export type DataField = z.infer<typeof DataField>;

/** A file of the export, as a Data Resource. `rows` and `jsonSchema`, the path of its JSON Schema, are not part of the standard. */
const DataResource = z.object({
  name: z.string(),
  path: z.string(),
  type: z.literal('table').optional(),
  title: z.string().optional(),
  description: z.string(),
  format: z.string(),
  mediatype: z.string().optional(),
  bytes: z.int(),
  hash: z.string(),
  rows: z.int().optional(),
  jsonSchema: z.string().optional(),
  schema: z.object({ fields: z.array(DataField) }).optional(),
});
export type DataResource = z.infer<typeof DataResource>;

/** `datapackage.json`: what an export holds, by the Data Package standard, version 2.0. */
export const DataPackage = z.object({
  $schema: z.literal('https://datapackage.org/profiles/2.0/datapackage.json'),
  name: z.string(),
  created: z.string(),
  id: z.string().optional(),
  title: z.string(),
  description: z.string(),
  version: z.string().optional(),
  homepage: z.string().optional(),
  keywords: z.array(z.string()),
  licenses: z.array(z.object({ name: z.string().optional(), path: z.string().optional() })).optional(),
  contributors: z.array(z.object({ title: z.string(), roles: z.array(z.string()) })),
  resources: z.array(DataResource),
});
export type DataPackage = z.infer<typeof DataPackage>;
