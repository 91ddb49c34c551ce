import { z } from 'zod';
import { ChangeCause, ChangedField } from '../../model/change.ts';
import { byKey, COUNTS } from '../../model/facts/fact-leaves.ts';
import { FactValue } from '../../model/facts/fact-value.ts';
import { GeneratedAt } from './stats.ts';

const time = z.iso.datetime();
const count = z.int().nonnegative().nullable();

export const ChangeItem = z
  .object({
    domain: z.string().meta({ description: 'The domain whose fact changed.' }),
    changedAt: time.meta({
      description: 'Start of the visit that found the change, or the time of the request that caused it.',
    }),
    field: ChangedField.meta({
      description: 'The fact: its path in an instance, or a fact of any domain, such as `state`.',
    }),
    before: FactValue.meta({
      description: 'Old value; null when unknown, or when it names a domain that must not be published.',
    }),
    after: FactValue.meta({
      description: 'New value; null when unknown, or when it names a domain that must not be published.',
    }),
    why: z.string().nullable().meta({ description: 'Why the state changed, as text; null for other fields.' }),
    cause: ChangeCause.meta({
      description: 'Cause of the change: a visit, or a user who added the domain.',
    }),
  })
  .meta({ id: 'Change' });
export type ChangeItem = z.infer<typeof ChangeItem>;

export const ChangeList = z
  .object({
    generatedAt: GeneratedAt,
    changes: z.array(ChangeItem).meta({ description: 'In the requested order; a page can be shorter than `limit`.' }),
    next: z.string().nullable().meta({
      description:
        '`cursor` of the next page. Newest first: null on the last page. Oldest first: never null, since changes can be added; use it again later.',
    }),
  })
  .meta({ id: 'ChangeList' });

const UsageItem = z.object({
  visitedAt: time.meta({ description: 'Start of the visit that read the counts.' }),
  ...byKey(COUNTS, ({ meta }) => count.meta({ description: `${meta.meaning}; null when unknown.` })),
});

const window = z.object({
  share: z.number().min(0).max(1).nullable().meta({
    description:
      'Share of the observed time in which the instance was up, 0 to 1, rounded to four decimal places; null when less than half was observed.',
  }),
  coverage: z.number().min(0).max(1).meta({ description: 'Share of the time that was observed, 0 to 1.' }),
});

export const History = z
  .object({
    domain: z.string().meta({ description: 'The domain.' }),
    uptime: z
      .object({
        day: window.meta({ description: 'Over the last 24 hours.' }),
        week: window.meta({ description: 'Over the last 7 days.' }),
        month: window.meta({ description: 'Over the last 30 days.' }),
      })
      .nullable()
      .meta({
        description:
          'Uptime; null unless it ever ran Loops. Same values as in `uptime` of an instance, where `day`, `week` and `month` are the shares themselves, and `coverage` has the coverages.',
      }),
    changes: z.array(ChangeItem).meta({ description: 'Changes of its facts, newest first.' }),
    usage: z.array(UsageItem).meta({
      description: 'Its counts, newest first; one per day for older ones.',
    }),
    next: z.string().nullable().meta({ description: '`cursor` of the next, older page; null on the last page.' }),
  })
  .meta({ id: 'History' });
export type History = z.infer<typeof History>;
