import { z } from 'zod';
import { ChangeCause, ChangedField } from '../../model/change.ts';
import { FactValue } from '../../model/facts/fact-value.ts';
import { noted, Time } from './fields.ts';

/** One line of `changes.ndjson`, and one row of the tables of changes. */
export const ChangeLine = z
  .object({
    domain: noted(z.string().describe('Domain whose fact changed.'), { source: 'Loopscout' }),
    at: noted(Time.describe('Start of the visit that found it so, or when it was asked for or read anew.'), {
      source: 'Loopscout',
    }),
    field: ChangedField.describe(
      'Which fact: its path in instances.json or domains.ndjson, or one that only changes are published of.',
    ),
    from: FactValue.describe(
      'What it was; null when it was unknown, or names a domain of which nothing may be published.',
    ),
    to: FactValue.describe(
      'What it became; null when it became unknown, or names a domain of which nothing may be published.',
    ),
    cause: noted(
      ChangeCause.describe(
        'What made it change: `visit`, a visit that found it so; `added`, somebody who asked for the domain by name; `replay`, a later reading of a stored document.',
      ),
      { source: 'Loopscout' },
    ),
  })
  .meta({
    title: 'changes.ndjson',
    description:
      'One line of changes.ndjson: a change of a recorded fact, in the order of recording. A fact that is learnt for the first time is no change, with two exceptions: `state` begins as `new`, and `conclusive` goes from null when Loops is found, or when a visit after the first settles what the domain runs.',
  });
noted(ChangeLine, { source: 'difference between what two visits found' });
export type ChangeLine = z.infer<typeof ChangeLine>;
