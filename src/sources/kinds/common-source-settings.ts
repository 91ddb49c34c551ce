import * as z from 'zod';

/** The keys that an entry of `sources` has whatever its kind. */
export const commonSourceSettings = {
  id: z
    .string()
    .regex(/^[a-z0-9][a-z0-9._-]{0,63}$/, '1 to 64 small letters, digits, ".", "_" and "-"')
    .optional()
    .describe(
      'Its name in the history, which is kept by it. Unless given, the kind and what it reads; then it begins anew when that changes.',
    ),
  note: z.string().max(2_000).optional().describe('For people; nothing reads it.'),
  enabled: z.boolean().default(true).describe('Whether it is read.'),
  everyHours: z
    .number()
    .min(1)
    .max(8_760)
    .default(24)
    .describe('How long after one reading the next is due. A file is read at the start and when it changed. In hours.'),
  most: z
    .int()
    .min(1)
    .max(10_000_000)
    .default(100_000)
    .describe('How many domains that it brought may wait for their first visit at a time.'),
};
