import { z } from 'zod';
import { addCodebookNotes, rowShapeOf, Time } from './fields.ts';
import { InstanceEntry } from './instance-entry.ts';

/** Why a domain that ever ran Loops is not in the directory. */
export const Ending = z.enum(['other-software', 'redirects', 'declined', 'dead', 'gone', 'same-instance', 'waiting']);
export type Ending = z.infer<typeof Ending>;

/** What is known only of listed instances is left out. */
const { status: _, uptime: __, growth: ___, joinable: ____, ...facts } = InstanceEntry.shape;

/** A domain that ever ran Loops, listed or not, with its last facts. */
export const EverEntry = z.object({
  ...facts,
  flags: addCodebookNotes(
    facts.flags.describe(
      'Anomalies found in its documents, so without flags that compare instances or depend on the time; empty when there are none.',
    ),
    { source: 'Loopscout, by named rules' },
  ),
  enteredAt: Time.nullable().describe(
    'When it first entered the directory; null when it never did, as the other name of an instance.',
  ),
  leftAt: Time.nullable().describe(
    'When it last left the directory; null while it is listed, or when it never was. A server that stopped answering leaves when it is `dead`: `lastSeen` is when it last answered.',
  ),
  ending: Ending.nullable().describe(
    'How it ended: `other-software`, it runs other software now; `redirects`, to another host; `declined`, it has only declined visits for days; `dead`, it has not answered for long; `gone`, it answers 410 Gone; `same-instance`, the instance lives on and is listed under another name; `waiting`, a user requested it after it was dead or gone, and it has not been visited since; null while it is listed.',
  ),
  movedTo: z
    .string()
    .nullable()
    .describe(
      'The domain that it redirects to, or under which the instance is listed; null for any other ending, or when that domain opted out or asks not to be published.',
    ),
});

/** One row of the tables of all instances that ever were. */
export const EverRow = rowShapeOf(EverEntry).meta({
  title: 'instances-all',
  description:
    'One row of instances-all: a domain that ever ran Loops, listed or not, with its last known facts. Columns as in instances.csv, without status, uptime, growth and joinable.',
});
addCodebookNotes(EverRow, { source: 'history of the instances' });
