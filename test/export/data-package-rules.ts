/** Rules of the Data Package standard 2.0 for a package whose resources are files: its sections Data Package, Data Resource, Table Schema and Security. */
const nonEmpty = { type: 'string', minLength: 1 };
const list = (items: object, more: object = {}) => ({ type: 'array', minItems: 1, items, ...more });
const object = (required: string[], properties: object, more: object = {}) => ({
  ...{ type: 'object', required, properties },
  ...more,
});
const url = { type: 'string', pattern: '^https?://' };
/** A POSIX path below the folder of the package, not hidden. */
const path = { type: 'string', pattern: String.raw`^(?![./~])(?!.*(?:^|/)\.\.(?:/|$))(?!.*(?:\\|://))` };
const TYPES =
  'string number integer boolean object array list datetime date time year yearmonth duration geopoint geojson any';

const field = object(['name'], {
  name: nonEmpty,
  type: { enum: TYPES.split(' ') },
  description: nonEmpty,
  constraints: object([], { required: { type: 'boolean' } }, { additionalProperties: false }),
});
const resource = object(
  ['name', 'path'],
  {
    name: { type: 'string', pattern: '^[a-z0-9._-]+$' },
    path: { anyOf: [path, url] },
    type: { const: 'table' },
    title: nonEmpty,
    description: nonEmpty,
    format: nonEmpty,
    mediatype: { type: 'string', pattern: '^[^/]+/[^/]+$' },
    bytes: { type: 'integer', minimum: 0 },
    hash: { type: 'string', pattern: '^sha256:[0-9a-f]{64}$' },
    schema: object(['fields'], { fields: list(field) }),
  },
  { dependentRequired: { schema: ['type'], type: ['schema'] } },
);

export const dataPackageRules = object(['resources', '$schema'], {
  $schema: { const: 'https://datapackage.org/profiles/2.0/datapackage.json' },
  name: { type: 'string', pattern: '^[a-z0-9._-]+$' },
  id: nonEmpty,
  ...{ title: nonEmpty, description: nonEmpty, version: nonEmpty },
  created: { type: 'string', pattern: String.raw`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$` },
  homepage: url,
  keywords: list(nonEmpty),
  licenses: list({
    type: 'object',
    anyOf: [{ required: ['name'] }, { required: ['path'] }],
    properties: { name: { type: 'string', pattern: '^[-a-zA-Z0-9._]+$' }, path: url },
  }),
  contributors: list(object(['title'], { title: nonEmpty, roles: list(nonEmpty) })),
  resources: list(resource),
});
