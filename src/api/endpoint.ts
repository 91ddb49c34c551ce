import type { FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { ZodOpenApiResponsesObject } from 'zod-openapi';
import type { Answer } from './answers/answer.ts';
import type { ApiContext } from './api-context.ts';
import { parseBody, parseQuery } from './query/parse-request.ts';

interface Definition<Query extends z.ZodObject, Body extends z.ZodObject> {
  /** As OpenAPI writes it: `/api/v1/instances/{domain}`; parameters are taken as they come. */
  readonly path: string;
  /** `get` unless given. What is posted is not for pages of other origins. */
  readonly method?: 'get' | 'post';
  readonly operationId: string;
  readonly tag: 'instances' | 'domains' | 'directory' | 'service';
  readonly summary: string;
  /** A request that shows what it is for, with what can be asked. */
  readonly example: string;
  /** What each parameter of the path is. */
  readonly parameters?: z.ZodObject;
  /** What may be asked; other parameters are refused. */
  readonly query: Query;
  /** What is posted, as JSON. */
  readonly body?: Body;
  /** The answers of its own; those that every endpoint gives are added to the document. */
  readonly responses: ZodOpenApiResponsesObject;
  /** Not counted against the client, since monitors ask for it. */
  readonly isUnlimited?: boolean;
  /** What the answer is made from: as long as this is the same object, equal questions have equal answers. Null: they may not. */
  readonly madeFrom: ((context: ApiContext) => object) | null;
  answer(question: Question<z.output<Query>, z.output<Body>>, context: ApiContext): Answer | Promise<Answer>;
}

export interface Question<Query, Body> {
  readonly parameters: Readonly<Record<string, string>>;
  readonly query: Query;
  readonly body: Body;
  readonly request: FastifyRequest;
}

/** One path of the API. All but what has `post` is read and never written. */
export interface Endpoint extends Omit<Definition<z.ZodObject, z.ZodObject>, 'answer'> {
  /** @throws {ProblemError} when it cannot be answered. */
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
