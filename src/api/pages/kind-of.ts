import { LATER_WORD } from '../../views/schema/json-schema-text.ts';
import type { JsonSchema } from '../openapi/document.ts';

/** What a value may be, in words. */
export function kindOf(schema: JsonSchema): string {
  if (schema.$ref !== undefined) return schemaName(schema.$ref);
  if (schema.enum !== undefined) return schema.enum.map(String).join(', ');
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.anyOf !== undefined) return [...new Set(alternativesOf(schema).map(kindOf))].join(' or ');
  if (Array.isArray(schema.type))
    return (schema.type as string[]).map((type) => typeWords({ ...schema, type } as JsonSchema)).join(' or ');
  return typeWords(schema);
}

/** What a schema allows, each way; without the words that later versions may have. */
export function alternativesOf(schema: JsonSchema): JsonSchema[] {
  const all = (schema.anyOf ?? [schema]) as JsonSchema[];
  return all.filter(({ description }) => description !== LATER_WORD);
}

/** The last part of `#/components/schemas/Instance`. */
export function schemaName(reference: string): string {
  return reference.slice(reference.lastIndexOf('/') + 1);
}

function typeWords(schema: JsonSchema): string {
  switch (schema.type) {
    case 'array':
      return `list of ${kindOf(schema.items as JsonSchema)}`;
    case 'integer':
      return `whole number${boundsOf(schema)}`;
    case 'number':
      return `number${boundsOf(schema)}`;
    case 'boolean':
      return 'true or false';
    case 'null':
    case 'object':
      return schema.type;
    default:
      return textWords(schema);
  }
}

function textWords({ format, maxLength }: JsonSchema): string {
  if (format === 'date-time') return 'time';
  return maxLength === undefined ? 'text' : `text of at most ${maxLength} characters`;
}

function boundsOf({ minimum, maximum }: JsonSchema): string {
  if (minimum === undefined) return '';
  return maximum === undefined ? ` from ${minimum}` : ` from ${minimum} to ${maximum}`;
}
