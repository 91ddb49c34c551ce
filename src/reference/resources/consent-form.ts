import { z } from 'zod';

/** What the forms of the consent pages send. */
export const ConsentForm = z
  .object({
    token: z.string().meta({ description: 'Shows that the form was made for this visitor and this request.' }),
    action: z
      .enum(['sign-in', 'sign-out', 'approve', 'deny', 'return'])
      .meta({ description: 'Which button was pressed; `return` is that of a request that cannot be granted.' }),
    username: z.string().optional().meta({ description: 'With `sign-in`.' }),
    password: z.string().optional().meta({ description: 'With `sign-in`.' }),
  })
  .meta({ id: 'ConsentForm' });
