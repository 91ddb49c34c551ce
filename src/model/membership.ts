import { z } from 'zod';
import { type EpochMs, isoTime } from './time.ts';

const time = z.string().meta({ format: 'date-time' });

/** A source that has ever listed a domain, as published. */
export const Membership = z.object({
  source: z.string().describe('Name of the source, as in `sources` of manifest.json.'),
  firstListed: time.describe('When the source was first recorded as listing it.'),
  lastListed: time.describe(
    'The last run in which the source listed it, including runs that found the list unchanged. If it is earlier than `lastCompleteRun` of the source, the source no longer lists the domain.',
  ),
});
type Membership = z.infer<typeof Membership>;

export function membershipOf(listing: { source: string; firstAt: EpochMs; lastAt: EpochMs }): Membership {
  const { source, firstAt, lastAt } = listing;
  return { source, firstListed: isoTime(firstAt), lastListed: isoTime(lastAt) };
}
