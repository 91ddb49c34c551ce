/** The expected type of a field of a remote document. */
export type FieldKind = 'string' | 'boolean' | 'count' | 'list' | 'object';

const samples = {
  string: ['', 'text', 'NaN', 'true', '40'],
  number: [0, 1, -1, 1.5, 1e300, Number.POSITIVE_INFINITY],
  boolean: [true, false],
  list: [[], ['mp4'], [1], [['mp4']], [null], [{}]],
  object: [{}, { rel: 'x' }, { deep: { er: [1] } }],
};

/** JSON values that are not of this kind, except null, which means that the field is absent. */
export function wrongValues(kind: FieldKind): unknown[] {
  const { string, number, boolean, list, object } = samples;
  switch (kind) {
    case 'string':
      return [...number, ...boolean, ...list, ...object];
    case 'boolean':
      return [...string, ...number, ...list, ...object];
    case 'count':
      return [...string, -1, 1.5, 1e300, Number.POSITIVE_INFINITY, ...boolean, ...list, ...object];
    case 'list':
      return [...string, ...number, ...boolean, [1], [['mp4']], [null], [{}], ...object];
    case 'object':
      return [...string, ...number, ...boolean, ...list];
  }
}

/** A copy of a document with another value at a path, for example `app.name`. */
export function replaced(
  document: Readonly<Record<string, unknown>>,
  path: string,
  value: unknown,
): Record<string, unknown> {
  const copy = structuredClone(document) as Record<string, unknown>;
  const keys = path.split('.');
  const last = keys.pop() ?? '';
  let parent = copy;
  for (const key of keys) parent = parent[key] as Record<string, unknown>;
  parent[last] = value;
  return copy;
}
