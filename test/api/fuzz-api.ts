import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import type { FastifyInstance } from 'fastify';
import { ANY_CHARACTER } from '../any-character.ts';
import { closeVocabularies } from '../export/closed-words.ts';
import { nameOf } from './fill-store.ts';

interface Schema {
  type?: string;
  enum?: string[];
  items?: Schema;
  minimum?: number;
  maximum?: number;
}

interface Operation {
  parameters?: { name: string; in: 'path' | 'query'; schema: Schema }[];
  responses: Record<string, { headers?: Record<string, object>; content?: Record<string, object> }>;
}

export interface ApiDocument {
  paths: Record<string, { get: Operation }>;
}

interface Request {
  method: 'GET' | 'HEAD';
  /** Path template in the OpenAPI document. */
  path: string;
  url: string;
  headers: Record<string, string>;
}

const date = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/;

/** Text that is hard to parse as a query, a number, JSON, SQL or a version. */
const oddText = fc.oneof(
  fc.string({ unit: ANY_CHARACTER, maxLength: 60 }),
  fc.constantFrom('', '0', '-1', '1e9', 'NaN', 'null', '[]', '{}', "' or 1=1 --", '../../etc/passwd', '__proto__'),
  fc.constantFrom(
    '*',
    '>',
    '>=',
    '||',
    '1.x || *',
    '<0.0.0-0',
    '^99999999999999999999',
    'x'.repeat(3_000),
    '%',
    '\u0000',
  ),
);

/** Requests that the document allows, and invalid ones that resemble them. */
function requestsOf(document: ApiDocument, cursors: readonly string[]): fc.Arbitrary<Request> {
  const domain = fc.oneof(
    { weight: 6, arbitrary: fc.nat(40).map(nameOf) },
    { weight: 1, arbitrary: oddText },
    { weight: 1, arbitrary: fc.domain() },
  );
  const cursor = fc.oneof(
    fc.nat().map((number) => cursors[number % Math.max(1, cursors.length)] ?? 'AAAA'),
    fc.json().map((text) => Buffer.from(text).toString('base64url')),
  );
  const valueFor = (name: string, schema: Schema): fc.Arbitrary<string> => {
    if (name === 'cursor') return cursor;
    if (name === 'version') return fc.constantFrom('>=1.0.0', '1.x', '^1.0.0-beta.9', '*', '<2 || 3', '1.0.0 - 2.0.0');
    if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
    if (schema.type === 'array') {
      return fc.array(fc.constantFrom(...(schema.items?.enum ?? [''])), { minLength: 1, maxLength: 3 }).map(String);
    }
    return fc.integer({ min: schema.minimum ?? 0, max: schema.maximum ?? 1_000 }).map(String);
  };
  const readablePaths = Object.entries(document.paths).filter(([, { get }]) => get !== undefined);
  const operations = readablePaths.map(([path, { get }]) => {
    const query = (get.parameters ?? []).filter((parameter) => parameter.in === 'query');
    const valid = query.map(({ name, schema }) => fc.tuple(fc.constant(name), valueFor(name, schema)));
    const oddPair = fc.tuple(
      fc.oneof(oddText, fc.constantFrom('limit', 'sort', ...query.map(({ name }) => name))),
      oddText,
    );
    const pair =
      valid.length === 0
        ? oddPair
        : fc.oneof({ weight: 12, arbitrary: fc.oneof(...valid) }, { weight: 1, arbitrary: oddPair });
    const maxPairs = valid.length === 0 ? 1 : 4;
    return fc
      .record({
        method: fc.constantFrom('GET' as const, 'GET' as const, 'GET' as const, 'HEAD' as const),
        domain,
        pairs: fc.array(pair, { maxLength: maxPairs }),
        condition: fc.option(fc.constantFrom('*', '"x"', 'W/"x", "y"', ',,"', 'x'.repeat(500)), { nil: null, freq: 5 }),
        accepted: fc.option(fc.constantFrom('gzip', 'br;q=1', ';;;', '*;q=0', 'identity', 'identity;q=0, gzip'), {
          nil: null,
          freq: 5,
        }),
      })
      .map(({ method, domain: name, pairs, condition, accepted }): Request => {
        const search = pairs.map(([key, value]) => `${encode(key)}=${encode(value)}`).join('&');
        const headers: Record<string, string> = {};
        if (condition !== null) headers['if-none-match'] = condition;
        if (accepted !== null) headers['accept-encoding'] = accepted;
        const url = `${path.replace('{domain}', encode(name))}${search === '' ? '' : `?${search}`}`;
        return { method, path, url, headers };
      });
  });
  return fc.oneof(...operations);
}

const LIST = '/api/v1/instances';
/** Requests that get 200, 304, 400 and 404, which few random ones might miss. */
const EXAMPLES = (
  [
    [LIST, LIST, {}],
    [LIST, LIST, { 'if-none-match': '*' }],
    [LIST, `${LIST}?limit=x`, {}],
    [`${LIST}/{domain}`, `${LIST}/no.example`, {}],
  ] as const
).map(([path, url, headers]): [Request] => [{ method: 'GET', path, url, headers: { ...headers } }]);

/** URLs require well-formed text. */
function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

/** Number of responses by status. */
export type Tally = Map<number, number>;

/**
 * Sends {@link EXAMPLES}, then random valid and almost valid requests, and compares every response with the OpenAPI document. Throws with the first
 * request whose response violates the document.
 */
export async function fuzzApi(api: FastifyInstance, { runs, seed }: { runs: number; seed?: number }): Promise<Tally> {
  const document = (await api.inject('/openapi.json')).json() as ApiDocument;
  // The document also allows words of later versions; responses of this version must not have any.
  const closedDocument = closeVocabularies(document);
  const ajv = new Ajv2020({ strict: false, allErrors: true, formats: { 'date-time': date } });
  ajv.addSchema(closedDocument, 'document');
  const tally: Tally = new Map();
  const cursors: string[] = [];
  const check = async ({ method, path, url, headers }: Request) => {
    const answer = await api.inject({ method, url, headers });
    const { statusCode: status } = answer;
    tally.set(status, (tally.get(status) ?? 0) + 1);
    if (status >= 500) throw new Error(`${status}: ${answer.payload}`);
    const documented = document.paths[path]?.get.responses[status];
    if (documented === undefined) throw new Error(`${status} is missing from the document`);
    for (const name of Object.keys(documented.headers ?? {})) {
      if (answer.headers[name.toLowerCase()] === undefined && name !== 'Retry-After') throw new Error(`has no ${name}`);
    }
    const type = String(answer.headers['content-type'] ?? '').split(';')[0] ?? '';
    const types = Object.keys(documented.content ?? {});
    if (types.length > 0 && !types.includes(type)) throw new Error(`is ${type}, not ${types.join()}`);
    if (method === 'HEAD' && answer.payload !== '') throw new Error('HEAD has a body');
    if (method === 'HEAD' || answer.headers['content-encoding'] !== undefined || !type.endsWith('json')) return;
    const body = answer.json();
    const pointer = ['paths', path, 'get', 'responses', String(status), 'content', type, 'schema']
      .map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1')))
      .join('/');
    if (!ajv.validate(`document#/${pointer}`, body)) throw new Error(ajv.errorsText());
    if (typeof body.next === 'string' && cursors.length < 500) cursors.push(body.next);
  };
  await fc.assert(fc.asyncProperty(requestsOf(document, cursors), check), {
    numRuns: runs,
    examples: EXAMPLES,
    ...(seed === undefined ? {} : { seed }),
  });
  return tally;
}
