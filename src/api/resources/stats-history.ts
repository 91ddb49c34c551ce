import { z } from 'zod';
import { StatsRow } from '../../directory/schema/stats-row.ts';
import { GeneratedAt } from './stats.ts';

export const StatsHistoryList = z
  .object({
    generatedAt: GeneratedAt,
    points: z
      .array(StatsRow.meta({ id: 'StatsHistoryPoint', description: 'One value of one day.' }))
      .meta({ description: 'Sorted by date, measure and key; null keys last.' }),
    next: z.string().nullable().meta({ description: '`cursor` of the next page; null on the last page.' }),
  })
  .meta({ id: 'StatsHistory' });
export type StatsHistoryList = z.infer<typeof StatsHistoryList>;
