import type { z } from 'zod';
import { createDocument, type ZodOpenApiPathsObject } from 'zod-openapi';
import { openVocabulary } from '../../directory/schema/json-schema-text.ts';
import type { Endpoint } from '../endpoint.ts';
import { COMMON_RESPONSES } from './responses.ts';

const DESCRIPTION =
  'Data about Loops servers: the directory, the history of each instance, and why a domain is listed or not. ' +
  'Everything except submissions is read-only, and no key is needed. Unknown is null, which is neither 0 nor false. Times are ISO 8601 in UTC. ' +
  'Under /api/v1, fields and words are only ever added. Every cacheable response has a weak ETag and answers If-None-Match with 304; ' +
  'any origin may read. HEAD works wherever GET does, OPTIONS returns 204, any other method 405 with `Allow` (404 for exported files outside folders); pages of other origins cannot post submissions. ' +
  'Errors are problem details (RFC 9457); invalid HTTP is 400, a request head over 16 KiB 431, and a request that does not arrive in time 408. ' +
  'Domains that opted out, or ask not to be published, are treated as unknown. ' +
  'Instances cannot be filtered by language: no server reports the language of its description.';

/** The OpenAPI 3.1 document, generated from the schemas that the endpoints use. */
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
            responses: { ...COMMON_RESPONSES, ...responses },
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
        { name: 'domains', description: 'Every known domain, and all changes.' },
        { name: 'directory', description: 'Statistics of the directory.' },
        { name: 'service', description: 'The service itself.' },
      ],
      security: [],
      paths,
    },
    { override: ({ jsonSchema, io }) => simplify(jsonSchema, io) },
  );
  return document as unknown as OpenApiDocument;
}

/** The parts of an OpenAPI document that this program uses. */
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
  /** An example request, from the root of the server. */
  'x-example': string;
  parameters?: { name: string; in: 'path' | 'query'; required?: boolean; description?: string; schema: JsonSchema }[];
  responses: Record<string, { description: string; content?: Record<string, { schema: JsonSchema }> }>;
}

export type JsonSchema = z.core.JSONSchema.JSONSchema;

/**
 * Removes the bounds of safe integers, which zod adds, and opens response objects and vocabularies: clients that validate with an older
 * document must not break on added fields or words.
 */
function simplify(schema: Record<string, unknown>, io: 'input' | 'output'): void {
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  if (io === 'input') return;
  if (schema.additionalProperties === false) delete schema.additionalProperties;
  openVocabulary(schema);
}
