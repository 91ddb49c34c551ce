import type { z } from 'zod';
import { createDocument, type ZodOpenApiPathsObject } from 'zod-openapi';
import { growVocabulary } from '../../views/schema/json-schema-text.ts';
import type { Endpoint } from '../endpoint.ts';
import { ANYWHERE } from './responses.ts';

const DESCRIPTION =
  'What Loopscout knows of Loops servers: the directory, the history of each instance, and why a domain is listed or not. ' +
  'Everything is read but what is handed in, and nothing needs a key. Unknown is null, which is neither 0 nor false. Times are ISO 8601 in UTC. ' +
  'Fields, and words where there is a set of them, are only ever added under /api/v1. Every answer that may be kept has a strong ETag and is 304 to If-None-Match; ' +
  'any origin may read. HEAD is answered wherever GET is, OPTIONS with 204, any other method with 405 and `Allow`; what is handed in is posted, which no page of another origin can do. ' +
  'Errors are problems by RFC 9457; what is no HTTP request is 400, one with a head over 16 KiB 431, and one that does not come in time 408. ' +
  'Domains that opted out, or ask not to be published, are answered as if they were not known. ' +
  'Instances cannot be chosen by the language of their description: no server says which it is.';

/** The OpenAPI 3.1 document of the API, made of what its endpoints themselves answer by. */
export function openApiDocument(endpoints: readonly Endpoint[], version: string): OpenApiDocument {
  const paths: ZodOpenApiPathsObject = Object.fromEntries(
    endpoints.map(
      ({ path, method = 'get', operationId, tag, summary, example, parameters, query, body, responses }) => [
        path,
        {
          [method]: {
            operationId,
            tags: [tag],
            summary,
            'x-example': example,
            requestParams: { query, ...(parameters === undefined ? {} : { path: parameters }) },
            ...(body === undefined
              ? {}
              : { requestBody: { required: true, content: { 'application/json': { schema: body } } } }),
            responses: { ...ANYWHERE, ...responses },
          },
        },
      ],
    ),
  );
  const document = createDocument(
    {
      openapi: '3.1.0',
      info: { title: 'Loopscout', version, description: DESCRIPTION },
      servers: [{ url: '/' }],
      tags: [
        { name: 'instances', description: 'The listed instances.' },
        { name: 'domains', description: 'Every known domain, and what changed.' },
        { name: 'directory', description: 'The directory in numbers.' },
        { name: 'service', description: 'The service itself.' },
      ],
      security: [],
      paths,
    },
    { override: ({ jsonSchema, io }) => simplify(jsonSchema, io) },
  );
  return document as unknown as OpenApiDocument;
}

/** As far as it is read here. */
export interface OpenApiDocument {
  info: { title: string; version: string; description: string };
  tags: { name: string; description: string }[];
  paths: Record<string, { get?: OpenApiOperation; post?: OpenApiOperation }>;
  components: { schemas: Record<string, JsonSchema> };
}

export interface OpenApiOperation {
  operationId: string;
  tags: string[];
  summary: string;
  /** A request that is answered, from the root of the server. */
  'x-example': string;
  parameters?: { name: string; in: 'path' | 'query'; required?: boolean; description?: string; schema: JsonSchema }[];
  responses: Record<string, { description: string; content?: Record<string, { schema: JsonSchema }> }>;
}

export type JsonSchema = z.core.JSONSchema.JSONSchema;

/**
 * zod states the bounds of safe integers, which say nothing to a reader, and closes objects and vocabularies, while fields and words
 * may be added to answers: who checks by last year's document must not break.
 */
function simplify(schema: Record<string, unknown>, io: 'input' | 'output'): void {
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  if (io === 'input') return;
  if (schema.additionalProperties === false) delete schema.additionalProperties;
  growVocabulary(schema);
}
