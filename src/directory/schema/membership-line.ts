import { z } from 'zod';
import { addCodebookNotes, Time } from './fields.ts';

/** One row of the tables of memberships. */
export const MembershipLine = z
  .object({
    domain: z.string().describe('Domain that the source has listed. Rows are sorted by `domain`, then by `source`.'),
    source: z.string().describe('Name of the source, as in `sources` of manifest.json.'),
    firstListed: Time.describe('When the source was first recorded as listing it.'),
    lastListed: Time.describe(
      'The last run in which the source listed it, including runs that found the list unchanged. If it is earlier than `lastCompleteRun` of the source, the source no longer lists the domain.',
    ),
  })
  .meta({
    title: 'memberships',
    description: 'One row of memberships: a source and a domain that it has ever listed.',
  });
addCodebookNotes(MembershipLine, { source: 'the sources' });
export type MembershipLine = z.infer<typeof MembershipLine>;
