import { z } from 'zod';
import { byKey, COUNTS } from '../../model/facts/fact-leaves.ts';
import { Reason } from '../../model/reason.ts';
import { Day } from './fields.ts';

const count = z.int().nonnegative();

const TimelineDay = z.object({
  day: Day.meta({ description: 'The day (UTC).' }),
  share: z.number().min(0).max(1).nullable().meta({
    description:
      'Share of the observed time that it was up, 0 to 1, to four digits; null when less than half was observed.',
  }),
  coverage: z.number().min(0).max(1).meta({ description: 'Share of the day, up to now, that was observed, 0 to 1.' }),
  visits: count.meta({ description: 'Visits that began on this day.' }),
  failed: count.meta({ description: 'Those of them that failed.' }),
  reason: Reason.nullable().meta({ description: 'Reason of the last failure; null when none failed.' }),
  responseMs: count.nullable().meta({
    description: 'Median duration of the successful visits, in milliseconds; null when there was none.',
  }),
});
export type TimelineDay = z.infer<typeof TimelineDay>;

const TimelineCounts = z.object({
  from: Day.meta({ description: 'First day (UTC) of the period.' }),
  ...byKey(COUNTS, ({ meta }) =>
    count.nullable().meta({ description: `${meta.meaning}, as last reported in the period; null when unknown.` }),
  ),
});
export type TimelineCounts = z.infer<typeof TimelineCounts>;

/** Length of the periods of a history: days, weeks from Monday to Sunday, or months. */
export const Step = z.enum(['day', 'week', 'month']);
export type Step = z.infer<typeof Step>;

/** An instance over time. */
export const Timeline = z.object({
  domain: z.string().meta({ description: 'The domain.' }),
  days: z.array(TimelineDay).meta({ description: 'The last 90 days, oldest first; the last one is today.' }),
  step: Step.meta({
    description:
      'Length of the periods of `counts`. A short history has days, a long one months; weeks begin on Monday.',
  }),
  counts: z.array(TimelineCounts).meta({
    description: 'Every period from the first known counts until now, oldest first.',
  }),
});
export type Timeline = z.infer<typeof Timeline>;
