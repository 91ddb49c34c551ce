interface Schema {
  type?: string | string[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
  enum?: string[];
  const?: unknown;
}

/**
 * The parts of a JSON Schema that consumers rely on, one a line: `PATH TYPE` for every field, with `?` if it is optional, and
 * `PATH = WORD` for every word of a vocabulary.
 */
export function fieldsOfSchema(schema: Schema, path = ''): string[] {
  const lines = Object.entries(schema.properties ?? {}).flatMap(([name, property]) => {
    const fieldPath = path === '' ? name : `${path}.${name}`;
    const isOptional = !schema.required?.includes(name);
    return [
      `${fieldPath} ${typeOf(property)}${isOptional ? '?' : ''}`,
      ...wordsOf(property, fieldPath),
      ...fieldsOfSchema(property, fieldPath),
    ];
  });
  for (const inner of [schema.items, ...(schema.anyOf ?? [])]) {
    if (inner === undefined) continue;
    lines.push(...fieldsOfSchema(inner, inner === schema.items ? `${path}[]` : path));
  }
  return lines;
}

function typeOf({ type, items, anyOf, const: constant }: Schema): string {
  if (anyOf !== undefined) return [...new Set(anyOf.map(typeOf))].sort().join('|');
  if (constant !== undefined) return JSON.stringify(constant);
  if (items !== undefined) return `list of ${typeOf(items)}`;
  return Array.isArray(type) ? type.toSorted().join('|') : String(type);
}

function wordsOf({ enum: words, items, anyOf }: Schema, path: string): string[] {
  const inner = [...(items ? [items] : []), ...(anyOf ?? [])].flatMap((schema) => wordsOf(schema, path));
  return [...(words ?? []).map((word) => `${path} = ${word}`), ...inner];
}
