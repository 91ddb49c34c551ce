import { extname } from 'node:path';
import { mediaTypeOf } from '../../directory/media-type.ts';
import { type DataField, DataPackage, type DataResource } from '../../directory/schema/data-package.ts';
import { type Leaf, leavesOf, schemaPath } from '../../directory/schema/fields.ts';
import { fieldsOf } from '../codebook/fields-of.ts';
import { type Chunk, GENERATED_AT } from '../files/blocks.ts';
import { ABSTRACT, isLicenceUrl, KEYWORDS, type Publication, TITLE } from '../publication.ts';
import type { ManifestFile } from '../schema/manifest.ts';
import { publishedSchemas } from '../schema/published-schemas.ts';
import { type Column, columnsOf } from '../tables/column.ts';
import { datasets } from './datasets.ts';

export const DATA_PACKAGE = 'datapackage.json';

export interface DataPackageContent {
  readonly publication: Publication;
  /** The day of the data, ISO 8601; null without any visit. */
  readonly released: string | null;
  /** The files of the manifest. */
  readonly files: readonly ManifestFile[];
}

/** `datapackage.json`, indented. JSON Schemas and compressed copies of other files are no resources. */
export function* dataPackageText({ publication, released, files }: DataPackageContent): Iterable<Chunk> {
  const { publisher, licence, doi, url } = publication;
  const names = new Set(files.map(({ name }) => name));
  const isCopy = (name: string) => name.endsWith('.gz') && names.has(name.slice(0, -'.gz'.length));
  const head = { $schema: DataPackage.shape.$schema.value, name: 'loops-servers' };
  const rest: Omit<DataPackage, keyof typeof head | 'created'> = {
    ...(doi !== null && { id: `https://doi.org/${doi}` }),
    title: TITLE,
    description: ABSTRACT.join(' '),
    ...(released !== null && { version: released }),
    ...(url !== null && { homepage: url }),
    keywords: KEYWORDS,
    ...(licence !== null && { licenses: [isLicenceUrl(licence) ? { path: licence } : { name: licence }] }),
    contributors: [{ title: publisher, roles: ['publisher'] }],
    resources: files.filter(({ name }) => !isCopy(name) && !schemas.has(name)).map(resourceOf),
  };
  // The time stands early: `published-file.ts` looks for it at the start of a file.
  yield `${JSON.stringify(head, null, 2).slice(0, -'\n}'.length)},\n  "created": "`;
  yield GENERATED_AT;
  yield `",\n${JSON.stringify(rest, null, 2).slice('{\n'.length)}\n`;
}

const schemas = new Map(publishedSchemas.map(({ name, shape }) => [schemaPath(name), shape]));
const abouts = new Map(datasets.flatMap(({ files }) => files.map(({ name, about }) => [name, about])));

function resourceOf({ name, bytes, sha256, rows, schema }: ManifestFile): DataResource {
  const shape = schemas.get(schema ?? '');
  const { title, description = abouts.get(name) ?? '' } = shape?.meta() ?? {};
  const format = extname(name.replace(/\.gz$/, '')).slice('.'.length);
  const fields = shape === undefined ? [] : tableFieldsOf(shape, format);
  return {
    name: name.toLowerCase().replaceAll('/', '-'),
    path: name,
    ...(fields.length > 0 && { type: 'table' }),
    ...(title !== undefined && { title }),
    description,
    format,
    mediatype: mediaTypeOf(name).replace(/;.*/, ''),
    bytes,
    hash: `sha256:${sha256}`,
    ...(rows !== undefined && { rows }),
    ...(schema !== null && { jsonSchema: schema }),
    ...(fields.length > 0 && { schema: { fields } }),
  };
}

/** The columns of a format that Table Schema describes; Parquet files describe their own. */
function tableFieldsOf(shape: PublishedShape, format: string): DataField[] {
  const columns = columnsOf(shape);
  // A line of NDJSON with nested objects is no row.
  if (format !== 'csv' && (format !== 'ndjson' || columns.some(({ path }) => path.length > 1))) return [];
  const fields = new Map(fieldsOf(shape).map((field) => [field.path, field]));
  const leaves = leavesOf(shape);
  return columns.map((column, index) => {
    const { meaning = '', whenNull = null, unit = null } = fields.get(column.name) ?? {};
    return {
      name: column.name,
      type: typeOf(column.kind, leaves[index]?.schema, format),
      description: whenNull === null ? meaning : `${meaning} Missing ${whenNull}.`,
      ...(unit !== null && { unit }),
      // An empty text is a missing value in Table Schema.
      ...(!column.isNullable && !['text', 'list', 'any'].includes(column.kind) && { constraints: { required: true } }),
    };
  });
}

type PublishedShape = (typeof publishedSchemas)[number]['shape'];

function typeOf(kind: Column['kind'], schema: Leaf['schema'] | undefined, format: string): DataField['type'] {
  const isText = format === 'csv';
  switch (kind) {
    case 'time':
      return 'datetime';
    case 'list':
      return isText ? 'string' : 'array';
    case 'any':
      return isText ? 'string' : 'any';
    case 'text':
      // Of the texts, only a day has this form and no other.
      return schema?.safeParse('2026-11-20').success && !schema.safeParse('-').success ? 'date' : 'string';
    default:
      return kind;
  }
}
