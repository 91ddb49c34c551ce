import { z } from 'zod';
import { byKey, COUNTS } from '../../record/facts/fact-leaves.ts';
import { noted } from './noted.ts';
import { count } from './reported-series.ts';

const reported = (what: string, unit: string) =>
  z
    .object({
      total: noted(
        z.number().nonnegative().nullable().describe('Sum over the instances that report it; null when none does.'),
        { unit },
      ),
      reporting: count('How many of the instances report it.'),
    })
    .describe(`${what}, summed over the instances that report the number; the others are unknown, not zero.`);

/** Totals over the listed instances. */
export const InstanceCounts = z
  .object({
    instances: count('Listed instances.'),
    up: count('Listed instances with status `up`.'),
    down: count('Listed instances with status `down`.'),
    ...byKey(COUNTS, ({ meta }) => reported(meta.meaning, meta.unit ?? '')),
  })
  .describe('Totals over the listed instances.');
export type InstanceCounts = z.infer<typeof InstanceCounts>;
