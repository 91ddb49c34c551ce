import { z } from 'zod';
import { INVENTED } from '../../src/conform/probes/requests.ts';
import {
  Account,
  AppRecord,
  NodeInfo,
  NodeInfoDiscovery,
  ServerConfig,
  TokenRecord,
  Video,
} from '../../src/reference/resources.ts';
import type { Received, Rewrite } from './rewriting-proxy.ts';
import { ruleMutations } from './rule-mutations.ts';

/** One change of the answers of a correct server, and the clause that it breaks. */
export interface Mutation {
  name: string;
  clause: string;
  rewrite: Rewrite;
}

type Path = readonly string[];
type Schema = z.core.JSONSchema.BaseSchema;

/**
 * The resources of the reference server, each with the prefix of its clauses, its schema, whether a request asks for it, and the keys
 * that wrap it in the answer.
 */
const RESOURCES: readonly [
  name: string,
  schema: z.ZodType,
  isRequested: (request: Received) => boolean,
  wrapper: Path,
][] = [
  ['app', AppRecord, ({ path, fields }) => path === '/api/v1/apps' && fields.client_name !== undefined, []],
  ['token', TokenRecord, ({ path }) => path === '/oauth/token', []],
  ['account', Account, ({ path }) => path === '/api/v1/account/info/self', ['data']],
  ['video', Video, ({ path }) => path.startsWith('/api/v1/video/') && path !== `/api/v1/video/${INVENTED.video}`, []],
  ['config', ServerConfig, ({ path }) => path === '/api/v1/config', []],
  ['discovery', NodeInfoDiscovery, ({ path }) => path === '/.well-known/nodeinfo', []],
  ['nodeinfo', NodeInfo, ({ path }) => path === '/nodeinfo/2.0', []],
];

/** Fields without a clause: the specification does not have the field, or does not show the type of the elements. */
const EXTRA = /^(?:nodeinfo\.usage\.users\.active|video\.(?:tags|mentions)\[\]|nodeinfo\.services\.\w+\[\])/;

/** Every field of every schema: missing, of a wrong type, null unless the schema allows it, and a fraction instead of an integer. */
function fieldMutations(): Mutation[] {
  return RESOURCES.flatMap(([name, schema, isRequested, wrapper]) =>
    [...fieldsOf(z.toJSONSchema(schema, { metadata: z.registry() }) as Schema, [])].flatMap(({ path, types }) => {
      const field = `${name}.${path.join('.').replaceAll('.[]', '[]')}`;
      if (EXTRA.test(field)) return [];
      const clause = clauseIdOf(field);
      const change = (what: string, value: unknown): Mutation => ({
        name: `${field} ${what}`,
        clause,
        rewrite: (answer, request) => {
          if (!isRequested(request) || answer.status >= 300) return;
          const body: unknown = JSON.parse(answer.text);
          setAt(body, [...wrapper, ...path], value);
          answer.text = JSON.stringify(body);
        },
      });
      const wrongValue = types.includes('string') ? 7 : 'text';
      return [
        ...(path.at(-1) === '[]' ? [] : [change('is missing', undefined)]),
        change('has a wrong type', wrongValue),
        ...(types.includes('null') ? [] : [change('is null', null)]),
        ...(types.includes('integer') ? [change('is a fraction', 1.5)] : []),
      ];
    }),
  );
}

/** The id of the clause about a field, such as `account.links.url`. The elements of a list of strings have the clause of the list. */
function clauseIdOf(field: string): string {
  return field.replaceAll('[]', '');
}

/** Every field of a schema at any depth, objects and lists included, with its types. */
function* fieldsOf(schema: Schema, path: Path): Generator<{ path: Path; types: readonly string[] }> {
  const alternatives = [schema, ...((schema.anyOf ?? []) as Schema[])];
  const types = alternatives.flatMap(({ type }) => type ?? []);
  const { properties, items } = schema;
  if (path.length > 0) yield { path, types };
  for (const [key, value] of Object.entries(properties ?? {})) yield* fieldsOf(value as Schema, [...path, key]);
  if (items !== undefined && !Array.isArray(items)) yield* fieldsOf(items as Schema, [...path, '[]']);
}

/** Sets the value at a path, where `[]` is the first element of a list; `undefined` deletes it. */
function setAt(root: unknown, path: Path, value: unknown): void {
  const [key = '', ...rest] = path;
  if (typeof root !== 'object' || root === null) return;
  const name = key === '[]' ? '0' : key;
  if (rest.length > 0) setAt(Reflect.get(root, name), rest, value);
  else if (value === undefined) Reflect.deleteProperty(root, name);
  else Reflect.set(root, name, value);
}

/** All mutations. Fields without a clause of their own, such as the object `config.app`, are left out. */
export function allMutations(knownClauses: ReadonlySet<string>): Mutation[] {
  const fields = fieldMutations().filter(({ clause }) => knownClauses.has(clause));
  return [...fields, ...ruleMutations()];
}
