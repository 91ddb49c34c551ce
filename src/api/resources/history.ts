import { z } from 'zod';
import { ChangeCause, ChangedField } from '../../model/change.ts';
import { byKey, COUNTS } from '../../model/facts/fact-leaves.ts';
import { FactValue } from '../../model/facts/fact-value.ts';
import { GeneratedAt } from './stats.ts';

const time = z.iso.datetime();
const count = z.int().nonnegative().nullable();

/** A fact that is not what it was. */
export const ChangeItem = z
  .object({
    domain: z.string().meta({ description: 'The domain whose fact it is.' }),
    at: time.meta({ description: 'Start of the visit that found it.' }),
    field: ChangedField.meta({ description: 'Which fact, by its path in an instance.' }),
    from: FactValue.meta({ description: 'What it was; null when it was unknown.' }),
    to: FactValue.meta({ description: 'What it became; null when it became unknown.' }),
    why: z.string().nullable().meta({ description: 'Of a state, what moved it, in words; else null.' }),
    cause: ChangeCause.meta({
      description: 'What found it: a visit, somebody who asked for the domain, or documents that were read anew.',
    }),
  })
  .meta({ id: 'Change' });
export type ChangeItem = z.infer<typeof ChangeItem>;

/** A page of the changes of all domains. */
export const ChangeList = z
  .object({
    generatedAt: GeneratedAt,
    changes: z.array(ChangeItem).meta({ description: 'In the order asked for; a page can be shorter than asked for.' }),
    next: z.string().nullable().meta({
      description:
        '`cursor` of the next page. Newest first: null when this is the last. Oldest first: never null, since changes may come; ask again with it later.',
    }),
  })
  .meta({ id: 'ChangeList' });

const UsageItem = z.object({
  at: time.meta({ description: 'When the counts were read.' }),
  ...byKey(COUNTS, ({ meta }) => count.meta({ description: `${meta.meaning}; null when unknown.` })),
});

const window = z.object({
  share: z.number().min(0).max(1).nullable().meta({
    description:
      'The part of the watched time in which it was up, 0 to 1, to four digits; null when less than half was watched.',
  }),
  coverage: z.number().min(0).max(1).meta({ description: 'The part of the time that was watched, 0 to 1.' }),
});

/** What became of one domain. */
export const History = z
  .object({
    domain: z.string().meta({ description: 'The domain.' }),
    uptime: z
      .object({
        day: window.meta({ description: 'Of the last 24 hours.' }),
        week: window.meta({ description: 'Of the last 7 days.' }),
        month: window.meta({ description: 'Of the last 30 days.' }),
      })
      .nullable()
      .meta({
        description:
          'How much of the time it was up, the same figures as `uptime` of an instance, there with all coverage in an object of its own; null unless it was ever found to be Loops.',
      }),
    changes: z.array(ChangeItem).meta({ description: 'Its facts that changed, newest first.' }),
    usage: z.array(UsageItem).meta({
      description: 'Its counts as they were read, newest first; of older ones, one a day is kept.',
    }),
    next: z.string().nullable().meta({ description: '`cursor` of what is older; null when there is nothing.' }),
  })
  .meta({ id: 'History' });
export type History = z.infer<typeof History>;
