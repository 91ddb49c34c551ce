import { LATER_WORD } from '../../src/views/schema/json-schema-text.ts';

/** The JSON Schema restricted to the current vocabulary, for documents of this version. */
export function closedWords<Schema>(schema: Schema): Schema {
  return JSON.parse(JSON.stringify(schema), (_key, value) => {
    if (!Array.isArray(value?.anyOf)) return value;
    const anyOf = value.anyOf.filter(({ description }: { description?: string }) => description !== LATER_WORD);
    return { ...value, anyOf };
  });
}
