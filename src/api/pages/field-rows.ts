import { html } from 'ghtml';
import type { JsonSchema } from '../openapi/document.ts';
import { alternativesOf, kindOf, schemaName } from './kind-of.ts';

/** The fields of a schema as rows of a table: path, what it may be, and what it means. Objects and lists of objects are gone into. */
export function fieldRows(schema: JsonSchema, path = ''): string[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, property]) => {
    const field = property as JsonSchema;
    const at = path === '' ? name : `${path}.${name}`;
    const isOptional = !schema.required?.includes(name);
    const { inside, end } = innerOf(field);
    const row = html`<tr><td><code>${at}</code></td><td>!${kindCell(field)}!${
      isOptional ? ' <span class="soft">Not always there.</span>' : ''
    }</td><td>${field.description ?? ''}</td></tr>`;
    return [row, ...(inside === null ? [] : fieldRows(inside, at + end))];
  });
}

/** What is written of the fields of an object, or of those in a list; what has a name of its own is not gone into. */
function innerOf(field: JsonSchema): { inside: JsonSchema | null; end: string } {
  const whole = alternativesOf(field).find(({ type }) => type === 'object' || type === 'array');
  const inside = whole?.type === 'array' ? (whole.items as JsonSchema) : whole;
  return { inside: inside?.properties === undefined ? null : inside, end: whole?.type === 'array' ? '[]' : '' };
}

function kindCell(field: JsonSchema): string {
  const references = [field, field.items as JsonSchema | undefined].flatMap((one) => one?.$ref ?? []);
  const [reference] = references;
  if (reference === undefined) return html`${kindOf(field)}`;
  const name = schemaName(reference);
  return html`${field.items === undefined ? '' : 'list of '}<a href="#schema-${name}">${name}</a>`;
}
