import { z } from 'zod';

/** What is sent to hand in a domain. */
export const SubmissionRequest = z
  .strictObject({
    domain: z
      .string()
      .min(1)
      .max(300)
      .meta({ description: 'Host name, with the port when it is not 443.', example: 'loops.example' }),
  })
  .meta({ id: 'SubmissionRequest' });

/** What became of a domain that was handed in. */
export const Submission = z
  .object({
    domain: z.string().meta({ description: 'As it was understood.' }),
    visit: z.enum(['done', 'running', 'recent']).meta({
      description:
        'done: visited just now; running: ask again in a moment; recent: it was visited within the last hour, and what is told is from then.',
    }),
    listed: z
      .boolean()
      .nullable()
      .meta({ description: 'Whether it is in the directory; null while that is not known.' }),
    headline: z.string().nullable().meta({ description: 'The same in a sentence, and why not.' }),
    why: z.string().nullable().meta({ description: 'The reason at length.' }),
    whatWouldChange: z.array(z.string()).meta({ description: 'What its operator can do to have it listed.' }),
    visitedAt: z.string().nullable().meta({ description: 'When it was last visited, ISO 8601 in UTC.' }),
    againAt: z
      .string()
      .nullable()
      .meta({ description: 'From when on it can be visited again by handing it in; null: in an hour.' }),
    explanation: z.string().meta({ description: 'Path at which all of it is told.' }),
  })
  .meta({ id: 'Submission' });
export type Submission = z.infer<typeof Submission>;
