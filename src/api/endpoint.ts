import type { FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { ZodOpenApiResponsesObject } from 'zod-openapi';
import type { Answer } from './answers/answer.ts';
import type { ApiContext } from './api-context.ts';
import { parseBody, parseQuery } from './query/parse-request.ts';

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
