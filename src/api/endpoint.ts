import type { FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { ZodOpenApiResponsesObject } from 'zod-openapi';
import { UNSAFE_CHARACTERS } from '../model/text/clean-text.ts';
import type { Answer } from './answers/answer.ts';
import { ProblemError } from './answers/problems.ts';
import type { ApiContext } from './api-context.ts';

interface Definition<Query extends z.ZodObject, Body extends z.ZodObject> {
  /** In OpenAPI form: `/api/v1/instances/{domain}`. */
  readonly path: string;
  /** Default: `get`. Pages of other origins cannot post. */
  readonly method?: 'get' | 'post';
  readonly operationId: string;
  readonly tag: 'instances' | 'domains' | 'directory' | 'service';
  readonly summary: string;
  /** An example: a path with a query, or the body of a POST. */
  readonly example: string;
  /** The path parameters. */
  readonly parameters?: z.ZodObject;
  /** The query parameters; others are refused. */
  readonly query: Query;
  /** The JSON body of a POST. */
  readonly body?: Body;
  /** The responses besides `COMMON_RESPONSES`, which the OpenAPI document adds to every path. */
  readonly responses: ZodOpenApiResponsesObject;
  /** Read by monitors: has a rate limit of its own, so that visitors behind the same address do not use it up. */
  readonly isMonitoring?: boolean;
  /** Runs before the server accepts requests; for slow work that the first request would otherwise wait for. Does not throw. */
  readonly prepare?: (context: ApiContext) => Promise<void>;
  answer(request: EndpointRequest<z.output<Query>, z.output<Body>>, context: ApiContext): Answer | Promise<Answer>;
}

export interface EndpointRequest<Query, Body> {
  readonly parameters: Readonly<Record<string, string>>;
  readonly query: Query;
  readonly body: Body;
  readonly request: FastifyRequest;
}

/** One path of the API. */
export interface Endpoint extends Omit<Definition<z.ZodObject, z.ZodObject>, 'answer'> {
  /** @throws {ProblemError} */
  respond(request: FastifyRequest, context: ApiContext): Answer | Promise<Answer>;
}

export function endpoint<Query extends z.ZodObject, Body extends z.ZodObject = z.ZodObject>(
  definition: Definition<Query, Body>,
): Endpoint {
  return {
    ...definition,
    respond: (request, context) =>
      definition.answer(
        {
          parameters: request.params as Record<string, string>,
          query: parseQuery(definition.query, request.query),
          body: (definition.body === undefined
            ? {}
            : parseBody(definition.body, request.body, definition.example)) as z.output<Body>,
          request,
        },
        context,
      ),
  };
}

const MAX_NAME_LENGTH = 50;
const MAX_ERRORS = 20;

/**
 * Validates a query.
 * @throws {ProblemError} 400, with the first errors.
 */
function parseQuery<Query extends z.ZodObject>(schema: Query, query: unknown): z.output<Query> {
  const result = schema.safeParse({ ...(query as object) });
  if (result.success) return result.data;
  const isRepeated = ({ path: [parameter = ''] }: z.core.$ZodIssue) =>
    Array.isArray((query as Record<PropertyKey, unknown>)[parameter]);
  const errors = errorsOf(result.error.issues, {
    allowedKeys: Object.keys(schema.shape),
    keyNoun: 'parameter',
    describe: (issue) => (isRepeated(issue) ? 'is given more than once' : null),
  });
  throw new ProblemError(400, 'The query cannot be used.', { errors });
}

interface ErrorWords {
  allowedKeys: readonly string[];
  /** The noun for a key in messages, such as `parameter`. */
  keyNoun: string;
  /** Describes an issue more precisely than the default; null to use the default. */
  describe: (issue: z.core.$ZodIssue) => string | null;
}

/** The first {@link MAX_ERRORS} errors. A list with several invalid words has one error for each. */
function errorsOf(
  issues: readonly z.core.$ZodIssue[],
  { allowedKeys, keyNoun, describe }: ErrorWords,
): { parameter: string; detail: string }[] {
  const errors = issues.flatMap((issue) => {
    if (issue.code === 'unrecognized_keys') {
      const allowed = allowedKeys.length === 0 ? 'none is allowed here' : `allowed: ${allowedKeys.join(', ')}`;
      return issue.keys.map((key) => ({
        parameter: sanitizeName(key),
        detail: `is not a ${keyNoun}; ${allowed}`,
      }));
    }
    return [{ parameter: String(issue.path[0] ?? ''), detail: describe(issue) ?? `must be ${expectedBy(issue)}` }];
  });
  return errors.slice(0, MAX_ERRORS);
}

/** Makes the name of an unknown parameter, which the client chose, safe to display. */
function sanitizeName(name: string): string {
  return name.slice(0, MAX_NAME_LENGTH).toWellFormed().replace(UNSAFE_CHARACTERS, '\ufffd');
}

function expectedBy(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_value') return `one of ${issue.values.join(', ')}`;
  if (issue.code === 'too_big' && issue.origin === 'string') return `at most ${issue.maximum} characters long`;
  if (issue.code === 'too_small' && issue.origin === 'string') return `at least ${issue.minimum} character long`;
  return issue.message;
}

/**
 * Validates a body.
 * @param example a valid body, as JSON.
 * @throws {ProblemError} 400, with the first errors.
 */
function parseBody<Body extends z.ZodObject>(schema: Body, body: unknown, example: string): z.output<Body> {
  const cure = `send a JSON object such as ${example}`;
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw new ProblemError(400, `The body is ${describeType(body)}; ${cure}.`);
  const result = schema.safeParse(body);
  if (result.success) return result.data;
  const describe = (issue: z.core.$ZodIssue): string | null => {
    if (issue.code !== 'invalid_type') return null;
    const value: unknown = Reflect.get(body, issue.path[0] ?? '');
    return value === undefined ? 'is missing' : `must be a ${issue.expected}, and is ${describeType(value)}`;
  };
  const errors = errorsOf(result.error.issues, {
    allowedKeys: Object.keys(schema.shape),
    keyNoun: 'key of the body',
    describe,
  });
  throw new ProblemError(400, `The body cannot be used; ${cure}.`, { errors });
}

function describeType(value: unknown): string {
  if (value === undefined) return 'missing';
  if (Array.isArray(value)) return 'a list';
  if (value === null) return 'null';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
