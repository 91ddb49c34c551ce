import { z } from 'zod';
import type { ZodOpenApiResponseObject, ZodOpenApiResponsesObject } from 'zod-openapi';
import { Problem } from '../answers/problems.ts';

const ETag = z.string().meta({ description: 'Weak; to be sent back as `If-None-Match`.' });
const CacheControl = z.string().meta({ description: 'How long the answer may be kept.' });

const NOT_MODIFIED: ZodOpenApiResponseObject = {
  description: 'What `If-None-Match` names is still the answer.',
  headers: z.object({ ETag }),
};

/** An answer in JSON that can be asked for again by its tag. */
export function tagged(description: string, schema: z.ZodType): ZodOpenApiResponsesObject {
  return {
    '200': {
      description,
      content: { 'application/json': { schema } },
      headers: z.object({ ETag, 'Cache-Control': CacheControl }),
    },
    '304': NOT_MODIFIED,
  };
}

/** A page for people. */
export function page(description: string): ZodOpenApiResponsesObject {
  return {
    '200': { description, content: { 'text/html': { schema: z.string() } }, headers: z.object({ ETag }) },
    '304': NOT_MODIFIED,
  };
}

export function problem(description: string): ZodOpenApiResponseObject {
  return { description, content: { 'application/problem+json': { schema: Problem } } };
}

/** What any path may answer. */
export const ANYWHERE = {
  '400': problem('A parameter is unknown or cannot be used; `errors` names each.'),
  '414': problem('The address is too long.'),
  '500': problem('Something of ours does not work.'),
  '503': {
    ...problem('The data cannot be read just now.'),
    headers: z.object({ 'Retry-After': z.int().meta({ description: 'Seconds until it is worth asking again.' }) }),
  },
} satisfies ZodOpenApiResponsesObject;

export const LIMITED = {
  '429': {
    ...problem('The address has asked too often.'),
    headers: z.object({
      'Retry-After': z.int().meta({ description: 'Seconds until it may ask again.' }),
      'RateLimit-Limit': z.int().meta({ description: 'Requests a minute.' }),
      'RateLimit-Remaining': z.int().meta({ description: 'Requests left of them.' }),
      'RateLimit-Reset': z.int().meta({ description: 'Seconds until all are there again.' }),
    }),
  },
} satisfies ZodOpenApiResponsesObject;

export const UNKNOWN_DOMAIN = {
  '404': problem('No such domain is known, or it does not wish to be published.'),
} satisfies ZodOpenApiResponsesObject;
