import { UNKNOWN_VALUE_DESCRIPTION } from '../../src/directory/schema/json-schema-text.ts';

/** Returns the JSON Schema without its permission for words of later versions. */
export function closeVocabularies<Schema>(schema: Schema): Schema {
  return JSON.parse(JSON.stringify(schema), (_key, value) => {
    if (!Array.isArray(value?.anyOf)) return value;
    const anyOf = value.anyOf.filter(
      ({ description }: { description?: string }) => description !== UNKNOWN_VALUE_DESCRIPTION,
    );
    return { ...value, anyOf };
  });
}
