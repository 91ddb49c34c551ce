import { z } from 'zod';
import { ChangeCause, ChangedField } from '../../model/change.ts';
import { FactValue } from '../../model/facts/fact-value.ts';
import { Missing } from '../../model/facts/missing.ts';
import { addCodebookNotes, Time } from './fields.ts';

/** The first facts are not stored as changes, but follow from the last ones and the changes. */
const PublishedCause = z.enum([...ChangeCause.options, 'first']);

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
    missing: addCodebookNotes(
      Missing.nullable().describe(
        'Why `after` is unknown; null when it is known, or when there is nothing to report, such as no redirect in `aliasOf`, or when no document of the host holds it, as with its country and network.',
      ),
      { source: 'Loopscout' },
    ),
    cause: addCodebookNotes(
      PublishedCause.describe(
        'Cause of the change: `visit`, a visit; `added`, a user who added the domain; `first`, no change: the first value that was read of a domain that ever ran Loops.',
      ),
      { source: 'Loopscout' },
    ),
  })
  .meta({
    title: 'changes.ndjson',
    description:
      'One line of changes.ndjson: a change of a recorded fact, in the order of recording. Before all of them, sorted by domain, are the first facts of each domain that ever ran Loops (`cause` `first`), without those that were unknown at first: `changedAt` is then the visit that found Loops, or for `identifiedAs`, `via`, `software`, `version`, `aliasOf` and `pointsTo` the visit that first identified the host. Of other domains, the first facts are no lines. `state` starts as `new`, and `identifiedAs` changes from null when Loops is found, or when a later visit identifies the host. A fact that becomes known or unknown changes from or to null.',
  });
addCodebookNotes(ChangeLine, { source: 'comparison of two visits' });
export type ChangeLine = z.infer<typeof ChangeLine>;
