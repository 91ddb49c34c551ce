import { z } from 'zod';
import { ChangeCause, ChangedField } from '../../model/change.ts';
import { FactValue } from '../../model/facts/fact-value.ts';
import { addCodebookNotes, Time } from './fields.ts';

/** One line of `changes.ndjson`, and one row of the tables of changes. */
export const ChangeLine = z
  .object({
    domain: addCodebookNotes(z.string().describe('Domain whose fact changed.'), { source: 'Loopscout' }),
    changedAt: addCodebookNotes(
      Time.describe('Start of the visit that found the change, or the time of the request that caused it.'),
      {
        source: 'Loopscout',
      },
    ),
    field: ChangedField.describe(
      'The fact: its path in instances.json or domains.ndjson, or a field published only as changes. `hosting` changes only when the host answers at another address: a newer database that says something else about the same address corrects the present value, and is no change.',
    ),
    before: FactValue.describe('Old value; null when unknown, or when it names a domain that must not be published.'),
    after: FactValue.describe('New value; null when unknown, or when it names a domain that must not be published.'),
    cause: addCodebookNotes(
      ChangeCause.describe('Cause of the change: `visit`, a visit; `added`, a user who added the domain.'),
      { source: 'Loopscout' },
    ),
  })
  .meta({
    title: 'changes.ndjson',
    description:
      'One line of changes.ndjson: a change of a recorded fact, in the order of recording. The first facts read of a domain are not changes, with two exceptions: `state` starts as `new`, and `identifiedAs` changes from null when Loops is found, or when a later visit identifies the host. From then on, a fact that becomes known or unknown changes from or to null.',
  });
addCodebookNotes(ChangeLine, { source: 'comparison of two visits' });
export type ChangeLine = z.infer<typeof ChangeLine>;
