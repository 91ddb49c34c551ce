import { z } from 'zod';

/** The error body for a record that there is not. */
export const RecordNotFound = z
  .object({
    data: z.array(z.unknown()).meta({ description: 'Always empty.' }),
    error: z.object({
      code: z.int().meta({ description: 'The status again: 404.' }),
      message: z.string().meta({ description: '`Record not found.`' }),
    }),
  })
  .meta({ id: 'RecordNotFound' });
export type RecordNotFound = z.infer<typeof RecordNotFound>;
