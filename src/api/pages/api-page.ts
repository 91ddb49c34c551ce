import { html } from 'ghtml';
import { withCode } from '../../directory/formatting.ts';
import { UNKNOWN_VALUE_DESCRIPTION } from '../../directory/schema/json-schema-text.ts';
import type { JsonSchema, OpenApiDocument, OpenApiOperation } from '../openapi/document.ts';
import type { ExampleAnswer } from './example-answers.ts';

interface Operation {
  readonly path: string;
  readonly method: 'GET' | 'POST';
  readonly operation: OpenApiOperation;
}

/**
 * The OpenAPI document as the content of a page; escaped HTML.
 *
 * @param answers the answers to the examples, by operation; an operation without an answer shows only its example, without a link.
 */
export function apiPage(
  { info, tags, paths, components }: OpenApiDocument,
  answers: ReadonlyMap<string, ExampleAnswer> = new Map(),
): string {
  const operations = Object.entries(paths).flatMap(([path, { get, post }]): Operation[] => [
    ...(get === undefined ? [] : [{ path, method: 'GET' as const, operation: get }]),
    ...(post === undefined ? [] : [{ path, method: 'POST' as const, operation: post }]),
  ]);
  const groups = tags.map(({ name, description }) => {
    return {
      name,
      description: description.replace(/\.$/, ''),
      operations: operations.filter(({ operation }) => operation.tags.includes(name)),
    };
  });
  const sentences = info.description
    .split(/(?<=\.) (?=[A-Z])/)
    .map((sentence) => html`<li>!${withCode(sentence)}</li>`);
  const schemas = Object.entries(components.schemas);
  return html`<div class="hero">
<h1>The API</h1>
<p>Version ${info.version}. For programs: <a href="/openapi.json">OpenAPI 3.1</a>.</p>
</div>
<nav class="panel contents" aria-labelledby="contents">
<h2 id="contents">Contents</h2>
<div>!${groups.map(
    (group) =>
      html`<div><h3><a href="#${group.name}">${group.description}</a></h3><ul>!${group.operations.map(contentsItem)}</ul></div>`,
  )}<div><h3><a href="#schemas">Response schemas</a></h3><p>${schemas.map(([name]) => name).join(', ')}</p></div></div>
</nav>
<section class="panel" aria-labelledby="general"><h2 id="general">In general</h2><ul>!${sentences}</ul></section>
!${groups.map(
    (group) =>
      html`<section aria-labelledby="${group.name}"><h2 id="${group.name}">${group.description}</h2>
!${group.operations.map((each) => operationSection(each, answers.get(each.operation.operationId) ?? null))}</section>`,
  )}
<section aria-labelledby="schemas"><h2 id="schemas">Response schemas</h2>
!${schemas.map(([name, schema]) => schemaSection(name, schema))}</section>`;
}

function contentsItem({ path, method, operation: { operationId } }: Operation): string {
  return html`<li><a href="#${operationId}">${method} ${path}</a></li>`;
}

function operationSection({ path, method, operation }: Operation, answered: ExampleAnswer | null): string {
  const { operationId, summary, parameters = [], responses, 'x-example': documentedExample } = operation;
  const example = answered?.url ?? documentedExample;
  const parameterRows = parameters.map(
    ({ name, schema, description = '', in: place }) =>
      html`<tr><td><code>${name}</code></td><td>${parameterKind(schema)}</td><td>!${withCode(description)}!${
        schema.default === undefined ? '' : html` <span class="soft">Default: ${schema.default}.</span>`
      }!${place === 'path' ? ' <span class="soft">In the path.</span>' : ''}</td></tr>`,
  );
  const responseRows = Object.entries(responses).map(
    ([status, { description, content = {} }]) =>
      html`<tr><td>${status}</td><td>!${withCode(description)}!${schemaLinks(content)}</td></tr>`,
  );
  const parameterTable =
    parameterRows.length === 0
      ? ''
      : html`<table class="parameters"><caption>Parameters</caption>
<thead><tr><th scope="col">Name</th><th scope="col">Value</th><th scope="col">Meaning</th></tr></thead>
<tbody>!${parameterRows}</tbody></table>`;
  return html`<details class="fold">
<summary><code>${method} ${path}</code> <span>!${withCode(summary)}</span></summary>
<h3 id="${operationId}"><code>${method} ${path}</code></h3>
<p>For example !${answered?.text == null ? html`<code>${example}</code>` : html`<a href="${example}"><code>${example}</code></a>`}!${method === 'GET' ? '' : ' as JSON'}</p>
!${answered?.text == null ? '' : html`<pre tabindex="0"><code>${answered.text}</code></pre>`}
!${parameterTable}
<table><caption>Responses</caption>
<thead><tr><th scope="col">Status</th><th scope="col">Meaning</th></tr></thead>
<tbody>!${responseRows}</tbody></table>
</details>
`;
}

function schemaSection(name: string, schema: JsonSchema): string {
  return html`<details class="fold">
<summary><code>${name}</code> <span>!${withCode(schema.description ?? '')}</span></summary>
<h3 id="schema-${name}"><code>${name}</code></h3>
<table><caption>Fields</caption>
<thead><tr><th scope="col">Field</th><th scope="col">Value</th><th scope="col">Meaning</th></tr></thead>
<tbody>!${fieldRows(schema)}</tbody></table>
</details>
`;
}

function schemaLinks(content: Readonly<Record<string, { schema: JsonSchema }>>): string[] {
  return Object.values(content).flatMap(({ schema: { $ref: reference } }) => {
    if (reference === undefined) return [];
    const name = schemaName(reference);
    return [html` <a href="#schema-${name}">${name}</a>.`];
  });
}

/** A list in a query is one string, separated by commas. */
function parameterKind(schema: JsonSchema): string {
  if (schema.type === 'array') return `comma-separated list of: ${kindOf(schema.items as JsonSchema)}`;
  return schema.enum === undefined ? kindOf(schema) : `one of: ${kindOf(schema)}`;
}

/** The fields of a schema as table rows: path, type and meaning. Descends into objects and lists of objects. */
function fieldRows(schema: JsonSchema, path = ''): string[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, property]) => {
    const field = property as JsonSchema;
    const fieldPath = path === '' ? name : `${path}.${name}`;
    const isOptional = !schema.required?.includes(name);
    const { inner, suffix } = innerOf(field);
    const row = html`<tr><td><code>${fieldPath}</code></td><td>!${kindCell(field)}!${
      isOptional ? ' <span class="soft">Optional.</span>' : ''
    }</td><td>!${withCode(field.description ?? '')}</td></tr>`;
    return [row, ...(inner === null ? [] : fieldRows(inner, fieldPath + suffix))];
  });
}

/** The object schema inside a field or its list. Does not descend into named schemas. */
function innerOf(field: JsonSchema): { inner: JsonSchema | null; suffix: string } {
  const nested = alternativesOf(field).find(({ type }) => type === 'object' || type === 'array');
  const inner = nested?.type === 'array' ? (nested.items as JsonSchema) : nested;
  return { inner: inner?.properties === undefined ? null : inner, suffix: nested?.type === 'array' ? '[]' : '' };
}

function kindCell(field: JsonSchema): string {
  const references = [field, field.items as JsonSchema | undefined].flatMap((schema) => schema?.$ref ?? []);
  const [reference] = references;
  if (reference === undefined) return html`${kindOf(field)}`;
  const name = schemaName(reference);
  return html`${field.items === undefined ? '' : 'list of '}<a href="#schema-${name}">${name}</a>`;
}

function kindOf(schema: JsonSchema): string {
  if (schema.$ref !== undefined) return schemaName(schema.$ref);
  if (schema.enum !== undefined) return schema.enum.map(String).join(', ');
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.anyOf !== undefined) return [...new Set(alternativesOf(schema).map(kindOf))].join(' or ');
  if (Array.isArray(schema.type))
    return (schema.type as string[]).map((type) => typeWords({ ...schema, type } as JsonSchema)).join(' or ');
  return typeWords(schema);
}

/** The alternatives of a schema, without the placeholder for words that later versions may add. */
function alternativesOf(schema: JsonSchema): JsonSchema[] {
  const all = (schema.anyOf ?? [schema]) as JsonSchema[];
  return all.filter(({ description }) => description !== UNKNOWN_VALUE_DESCRIPTION);
}

/** The last part of `#/components/schemas/Instance`. */
function schemaName(reference: string): string {
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
