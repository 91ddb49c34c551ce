import { z } from 'zod';

/** The error body of OAuth, RFC 6749 section 5.2. */
export const OAuthError = z
  .object({
    error: z.string().meta({ description: 'One of the codes of RFC 6749 section 5.2, such as `invalid_grant`.' }),
    error_description: z.string().optional().meta({ description: 'What was wrong, for people.' }),
  })
  .meta({ id: 'OAuthError' });
