import { LATER_WORD } from '../../src/views/schema/json-schema-text.ts';

/** A JSON Schema that accepts the words of today alone, as what is published now must keep to them. */
export function closedWords<Schema>(schema: Schema): Schema {
  return JSON.parse(JSON.stringify(schema), (_key, value) => {
    if (!Array.isArray(value?.anyOf)) return value;
    const anyOf = value.anyOf.filter(({ description }: { description?: string }) => description !== LATER_WORD);
    return { ...value, anyOf };
  });
}
