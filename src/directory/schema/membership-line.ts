import { z } from 'zod';
import { Membership } from '../../model/membership.ts';
import { addCodebookNotes } from './fields.ts';

/** One row of the tables of memberships. */
export const MembershipLine = z
  .object({
    domain: z.string().describe('Domain that the source has listed. Rows are sorted by `domain`, then by `source`.'),
    ...Membership.shape,
  })
  .meta({
    title: 'memberships',
    description: 'One row of memberships: a source and a domain that it has ever listed.',
  });
addCodebookNotes(MembershipLine, { source: 'the sources' });
export type MembershipLine = z.infer<typeof MembershipLine>;
