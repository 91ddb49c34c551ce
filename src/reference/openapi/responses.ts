import { z } from 'zod';
import type { ZodOpenApiResponseObject } from 'zod-openapi';
import { Message } from '../resources.ts';

/** The error body of OAuth, RFC 6749 section 5.2. */
const OAuthError = z
  .object({
    error: z.string().meta({ description: 'One of the codes of RFC 6749 section 5.2, for example `invalid_grant`.' }),
    error_description: z.string().optional().meta({ description: 'The reason, for people.' }),
  })
  .meta({ id: 'OAuthError' });

/** The error body of the rate limit, with status 429. */
const TooManyRequests = z
  .object({
    message: z.string().meta({ description: '`Too many requests`.' }),
    retry_after: z.int().meta({ description: 'Seconds until the next request is allowed.' }),
  })
  .meta({ id: 'TooManyRequests' });

const challenge = {
  'WWW-Authenticate': z.string().meta({ description: 'The challenge of RFC 6750 section 3 or RFC 7617.' }),
};
const noStore = { 'Cache-Control': z.string().meta({ description: '`no-store`.' }) };

/** A JSON answer. */
export function json(description: string, schema: z.ZodType): ZodOpenApiResponseObject {
  return { description, content: { 'application/json': { schema } } };
}

/** An HTML page. */
export function html(description: string): ZodOpenApiResponseObject {
  return { description, content: { 'text/html': { schema: z.string() } } };
}

/** A JSON answer that must not be cached. */
export function privateJson(description: string, schema: z.ZodType): ZodOpenApiResponseObject {
  return { ...json(description, schema), headers: z.object(noStore) };
}

/** An error answer to a request without a valid token. */
export function refused(description: string): ZodOpenApiResponseObject {
  return { ...json(description, Message), headers: z.object({ ...challenge, ...noStore }) };
}

export function redirect(description: string): ZodOpenApiResponseObject {
  return { description, headers: z.object({ Location: z.string().meta({ description: 'The next URL.' }) }) };
}

export const notFound = json('Not found.', Message);

export const rateLimited: ZodOpenApiResponseObject = {
  ...json('This address has sent too many requests without a token.', TooManyRequests),
  headers: z.object({
    'Retry-After': z.int().meta({ description: 'Seconds until the next request is allowed.' }),
    'X-RateLimit-Limit': z.int().meta({ description: 'Requests in the window.' }),
    'X-RateLimit-Remaining': z.int().meta({ description: 'Requests left in the window.' }),
  }),
};

/** The answers of API endpoints to a body that cannot be read. */
export const unreadableBody = {
  '400': json('The body does not match its content type.', Message),
  '413': json('The body is too large.', Message),
  '415': json('The body is neither JSON nor a form.', Message),
};

/** The error answers of the OAuth endpoints. */
export const oauthErrors = {
  '400': privateJson('The request cannot be granted (RFC 6749 section 5.2).', OAuthError),
  '401': {
    ...json('The client is unknown or did not authenticate.', OAuthError),
    headers: z.object({ ...challenge, ...noStore }),
  },
  '413': privateJson('The body is too large.', OAuthError),
  '415': privateJson('The body is neither JSON nor a form.', OAuthError),
};

/** A request body that may be JSON or a form of either type. */
export function jsonOrForm(schema: z.ZodType) {
  const types = ['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data'] as const;
  return { required: true, content: Object.fromEntries(types.map((type) => [type, { schema }])) };
}
