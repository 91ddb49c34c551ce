import { z } from 'zod';
import type { ZodOpenApiResponseObject } from 'zod-openapi';
import { Message } from '../resources.ts';

/** The error body of OAuth, RFC 6749 section 5.2. */
const OAuthError = z
  .object({
    error: z.string().meta({ description: 'One of the codes of RFC 6749 section 5.2, such as `invalid_grant`.' }),
    error_description: z.string().optional().meta({ description: 'What was wrong, for people.' }),
  })
  .meta({ id: 'OAuthError' });

/** The error body for an address that asks too often, with status 429. */
const TooManyAttempts = z
  .object({
    message: z.string().meta({ description: '`Too Many Attempts.`' }),
    retry_after: z.int().meta({ description: 'Seconds until it may ask again.' }),
  })
  .meta({ id: 'TooManyAttempts' });

/** The answers that more than one operation gives. */

const challenge = {
  'WWW-Authenticate': z.string().meta({ description: 'The challenge of RFC 6750 section 3 or RFC 7617.' }),
};
const noStore = { 'Cache-Control': z.string().meta({ description: '`no-store`.' }) };

/** An answer in JSON, as `schema` says. */
export function json(description: string, schema: z.ZodType): ZodOpenApiResponseObject {
  return { description, content: { 'application/json': { schema } } };
}

/** A page for people. */
export function html(description: string): ZodOpenApiResponseObject {
  return { description, content: { 'text/html': { schema: z.string() } } };
}

/** An answer in JSON that nobody may keep. */
export function privateJson(description: string, schema: z.ZodType): ZodOpenApiResponseObject {
  return { ...json(description, schema), headers: z.object(noStore) };
}

/** An answer of 401 or 403 to a request with a token, or without one. */
export function refused(description: string): ZodOpenApiResponseObject {
  return { ...json(description, Message), headers: z.object({ ...challenge, ...noStore }) };
}

/** A redirect. */
export function redirect(description: string): ZodOpenApiResponseObject {
  return { description, headers: z.object({ Location: z.string().meta({ description: 'Where to go on.' }) }) };
}

export const notFound = json('There is no such thing.', Message);

export const tooManyAttempts: ZodOpenApiResponseObject = {
  ...json('The address asked too often without a token.', TooManyAttempts),
  headers: z.object({
    'Retry-After': z.int().meta({ description: 'Seconds until it may ask again.' }),
    'X-RateLimit-Limit': z.int().meta({ description: 'Attempts in the window.' }),
    'X-RateLimit-Remaining': z.int().meta({ description: 'Attempts left in it.' }),
  }),
};

/** What any endpoint that takes a body of the API answers to one that cannot be read. */
export const unreadableBody = {
  '400': json('The body is not what its content type says.', Message),
  '413': json('The body is too large.', Message),
  '415': json('The body is neither JSON nor a form.', Message),
};

/** The answers of an OAuth endpoint to a request that it does not grant. */
export const oauthErrors = {
  '400': privateJson('The request cannot be granted (RFC 6749 section 5.2).', OAuthError),
  '401': {
    ...json('The client is unknown, or did not show who it is.', OAuthError),
    headers: z.object({ ...challenge, ...noStore }),
  },
  '413': privateJson('The body is too large.', OAuthError),
  '415': privateJson('The body is neither JSON nor a form.', OAuthError),
};
