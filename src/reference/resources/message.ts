import { z } from 'zod';

/** The error body of the API where there is nothing more to say. */
export const Message = z
  .object({ message: z.string().meta({ description: 'What was wrong, for people.' }) })
  .meta({ id: 'Message' });
