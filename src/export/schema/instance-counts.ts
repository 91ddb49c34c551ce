import { z } from 'zod';

const count = z.int().nonnegative();

const reported = (what: string) =>
  z
    .object({
      total: z
        .number()
        .nonnegative()
        .nullable()
        .describe('Sum over the instances that report it; null when none does.'),
      reporting: count.describe('How many of the instances report it.'),
    })
    .describe(`${what}, summed over the instances that report the number; the others are unknown, not zero.`);

/** Totals over the listed instances. */
export const InstanceCounts = z
  .object({
    instances: count.describe('Listed instances.'),
    up: count.describe('Listed instances with status `up`.'),
    down: count.describe('Listed instances with status `down`.'),
    users: reported('Accounts'),
    activeMonth: reported('Accounts active in the last 30 days'),
    activeHalfyear: reported('Accounts active in the last 180 days'),
    posts: reported('Local posts'),
  })
  .describe('Totals over the listed instances.');
export type InstanceCounts = z.infer<typeof InstanceCounts>;
