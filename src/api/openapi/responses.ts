import { z } from 'zod';
import type { ZodOpenApiResponseObject, ZodOpenApiResponsesObject } from 'zod-openapi';
import { Problem } from '../answers/problems.ts';

const ETag = z.string().meta({ description: 'Weak; send it back as `If-None-Match`.' });
const CacheControl = z.string().meta({ description: 'How long the response may be cached.' });

const NOT_MODIFIED: ZodOpenApiResponseObject = {
  description: 'Unchanged since the `ETag` in `If-None-Match`.',
  headers: z.object({ ETag }),
};

/** A JSON response with an entity tag. */
export function withEtag(description: string, schema: z.ZodType): ZodOpenApiResponsesObject {
  return {
    '200': {
      description,
      content: { 'application/json': { schema } },
      headers: z.object({ ETag, 'Cache-Control': CacheControl }),
    },
    '304': NOT_MODIFIED,
  };
}

export function file(description: string): ZodOpenApiResponsesObject {
  return {
    '200': {
      description,
      content: { 'application/octet-stream': { schema: z.string() } },
      headers: z.object({ ETag, 'Cache-Control': CacheControl }),
    },
    '304': NOT_MODIFIED,
    '404': problem('The last export has no such file.'),
  };
}

export function page(description: string): ZodOpenApiResponsesObject {
  return {
    '200': { description, content: { 'text/html': { schema: z.string() } }, headers: z.object({ ETag }) },
    '304': NOT_MODIFIED,
  };
}

export function problem(description: string): ZodOpenApiResponseObject {
  return { description, content: { 'application/problem+json': { schema: Problem } } };
}

/** Responses of every path. */
export const COMMON_RESPONSES = {
  '400': problem('A parameter is unknown or invalid; `errors` names each.'),
  '414': problem('The URL is too long.'),
  '500': problem('Internal error.'),
  '503': {
    ...problem('The data is temporarily unavailable.'),
    headers: z.object({ 'Retry-After': z.int().meta({ description: 'Seconds to wait before retrying.' }) }),
  },
} satisfies ZodOpenApiResponsesObject;

export const RATE_LIMITED = {
  '429': {
    ...problem('Too many requests from this address.'),
    headers: z.object({
      'Retry-After': z.int().meta({ description: 'Seconds to wait before retrying.' }),
      'RateLimit-Limit': z.int().meta({ description: 'Requests per minute.' }),
      'RateLimit-Remaining': z.int().meta({ description: 'Requests left in this minute.' }),
      'RateLimit-Reset': z.int().meta({ description: 'Seconds until the limit resets.' }),
    }),
  },
} satisfies ZodOpenApiResponsesObject;

export const UNKNOWN_DOMAIN = {
  '404': problem('The domain is unknown or asks not to be published.'),
} satisfies ZodOpenApiResponsesObject;
