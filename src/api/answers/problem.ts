import { z } from 'zod';

/** What went wrong, as RFC 9457 has it. */
export const Problem = z
  .object({
    type: z.literal('about:blank').meta({ description: 'The status says what kind of problem it is.' }),
    title: z.string().meta({ description: 'The status in words.' }),
    status: z.int().meta({ description: 'The status of the answer.' }),
    detail: z.string().meta({ description: 'What is wrong with this request, in a sentence.' }),
    errors: z
      .array(
        z.object({
          parameter: z.string().meta({ description: 'Name of the parameter.' }),
          detail: z.string().meta({ description: 'What is wrong with it, or what it should be.' }),
        }),
      )
      .optional()
      .meta({ description: 'The parameters that cannot be used.' }),
  })
  .meta({ id: 'Problem', description: 'A problem by RFC 9457.' });
export type Problem = z.infer<typeof Problem>;
