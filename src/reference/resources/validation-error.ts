import { z } from 'zod';

/** The error body for a request whose fields cannot be used, with status 422. */
export const ValidationError = z
  .object({
    message: z.string().meta({ description: 'The first fault, for people.' }),
    errors: z.record(z.string(), z.array(z.string())).meta({ description: 'The faults of each field.' }),
  })
  .meta({ id: 'ValidationError' });
export type ValidationError = z.infer<typeof ValidationError>;
