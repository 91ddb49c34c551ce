import { z } from 'zod';

/** The error body for an address that asks too often, with status 429. */
export const TooManyAttempts = z
  .object({
    message: z.string().meta({ description: '`Too Many Attempts.`' }),
    retry_after: z.int().meta({ description: 'Seconds until it may ask again.' }),
  })
  .meta({ id: 'TooManyAttempts' });
