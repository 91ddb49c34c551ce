import { z } from 'zod';
import { DomainState } from '../../model/domain-record.ts';
import { Hosting } from '../../model/facts/hosting.ts';
import { Reason } from '../../model/reason.ts';
import { Verdict, Via } from '../../model/verdict.ts';
import { addCodebookNotes, Time } from './fields.ts';

/** One line of `domains.ndjson`. */
export const DomainLine = z
  .object({
    domain: z.string().describe('Host name in A-label form, with the port when it is not 443; unique, the sort key.'),
    verdict: Verdict.nullable().describe('Verdict of the last visit; null before the first.'),
    reason: Reason.nullable().describe('Reason for the verdict; null before the first visit.'),
    via: addCodebookNotes(
      Via.nullable().describe(
        'Probe that named the software at the last visit that identified the host; null when none did.',
      ),
      {
        source: 'the probe that answered',
      },
    ),
    software: addCodebookNotes(
      z
        .string()
        .nullable()
        .describe('Software id at the last visit that identified the host; null when unknown, or when it redirected.'),
      {
        source: 'config `app.software`, else NodeInfo `software.name`',
      },
    ),
    version: addCodebookNotes(
      z
        .string()
        .nullable()
        .describe(
          'Software version at the last visit that identified the host; null when unknown, or when it redirected.',
        ),
      {
        source: 'config `app.version`, else NodeInfo `software.version`',
      },
    ),
    aliasOf: addCodebookNotes(
      z
        .string()
        .nullable()
        .describe(
          'Domain it redirected to at the last visit that identified the host; null when it did not redirect, or when that domain opted out or asks not to be published.',
        ),
      {
        source: 'HTTP redirect',
      },
    ),
    ...Hosting.shape,
    state: DomainState.describe('State of the domain.'),
    sources: addCodebookNotes(
      z
        .array(z.string())
        .describe(
          'The sources that have ever listed it, by their names in `sources` of manifest.json, sorted; empty when none has: a user added it, or another host led to it. The times of each are in memberships.csv.',
        ),
      { source: 'the sources' },
    ),
    firstListed: addCodebookNotes(Time.nullable().describe('When a source first listed it; null when none has.'), {
      source: 'the sources',
    }),
    lastListed: addCodebookNotes(
      Time.nullable().describe('The last run of any source that listed it; null when none has.'),
      { source: 'the sources' },
    ),
    firstSeen: Time.describe('When the domain first became known.'),
    lastVisit: Time.nullable().describe('The last visit; null before the first.'),
    lastSeen: Time.nullable().describe('The last successful visit; null when there was none.'),
    nextVisit: Time.nullable().describe('When the next visit is due; null when none is planned.'),
  })
  .meta({
    title: 'domains.ndjson',
    description:
      'One line of domains.ndjson: a known domain. Domains that opted out, or ask not to be published, are missing.',
  });
addCodebookNotes(DomainLine, { source: 'Loopscout' });
export type DomainLine = z.infer<typeof DomainLine>;

const count = (what: string) => addCodebookNotes(z.int().nonnegative().describe(what), { unit: 'domains' });

const verdicts = {
  loops: count('Domains found to run Loops.'),
  other: count('Domains found to run other software.'),
  unidentified: count('Domains that respond but could not be identified.'),
  unreachable: count('Domains without a usable response.'),
  declined: count('Domains that asked not to be visited, or whose address is not public.'),
  alias: count('Domains that redirect to another.'),
} satisfies Record<Verdict, ReturnType<typeof count>>;

const states = {
  new: count('Domains not yet visited, or not since a user added them while they were dead or gone.'),
  active: count('Domains whose last visit succeeded, or found an address that is not public.'),
  failing: count('Domains whose last visit failed, but that are not dead or gone.'),
  dead: count('Domains that have failed often and for long.'),
  gone: count('Domains that answered 410 Gone.'),
} satisfies Record<DomainLine['state'], ReturnType<typeof count>>;

/** Totals over the known domains. */
export const DomainCounts = z.object({
  domains: count('Known domains, without those that ask not to be published.'),
  visited: count('Known domains visited at least once.'),
  verdicts: z.object(verdicts).describe('Visited domains by the verdict of their last visit.'),
  states: z.object(states).describe('Known domains by state.'),
});
export type DomainCounts = z.infer<typeof DomainCounts>;
