import { z } from 'zod';
import { Hosting } from '../../model/facts/hosting.ts';
import { InstanceFacts } from '../../model/facts/instance-facts.ts';
import { GROWTH_DAYS } from '../../model/instance-record.ts';
import { Via } from '../../model/verdict.ts';
import { MIN_UPTIME } from '../joinability.ts';
import { addCodebookNotes, Time } from './fields.ts';

/** Facts with a fixed position in an entry, and unpublished facts; all others follow `via`, in the order of the table. */
const {
  name,
  description,
  software,
  version,
  usage,
  flags,
  gifProviderBrand: _,
  notes: __,
  ...others
} = InstanceFacts.shape;

export const OTHER_FACTS = Object.keys(others) as readonly (keyof typeof others)[];

const share = addCodebookNotes(z.number().min(0).max(1), { unit: 'share' });
const nullableShare = share.nullable();

addCodebookNotes(usage.shape.asOf, { source: 'Loopscout' });

/** One listed instance, as published. */
export const InstanceEntry = z
  .object({
    domain: addCodebookNotes(
      z.string().describe('Host name in A-label form, with the port when it is not 443; unique, the sort key.'),
      { source: 'Loopscout' },
    ),
    url: addCodebookNotes(z.string().describe('Origin of the instance: https:// and the domain.'), {
      source: 'the domain',
    }),
    name,
    description,
    software,
    version,
    via: addCodebookNotes(
      Via.nullable().describe('Probe that identified it: the configuration endpoint or NodeInfo; null when unknown.'),
      {
        source: 'the probe that answered',
      },
    ),
    ...others,
    usage: addCodebookNotes(usage, { source: 'NodeInfo `usage`' }),
    growth: addCodebookNotes(
      z
        .int()
        .nullable()
        .describe(
          `Users now minus users ${GROWTH_DAYS} days ago, as last read in the week before; null when one of the two is unknown or implausible, and while it is down.`,
        ),
      { source: 'Loopscout', unit: 'accounts' },
    ),
    status: addCodebookNotes(
      z
        .enum(['up', 'down'])
        .describe(
          '`down` when at least two visits in a row have failed; the facts are then the last known ones. After one failed visit it is still `up`, with the flag `unconfirmed`.',
        ),
      { source: 'Loopscout' },
    ),
    uptime: addCodebookNotes(
      z
        .object({
          day: nullableShare.describe(
            'Share of the observed part of the last 24 hours in which it was up, 0 to 1, to four digits; null when less than half was observed.',
          ),
          week: nullableShare.describe('The same for the last 7 days; null when less than half was observed.'),
          month: nullableShare.describe('The same for the last 30 days; null when less than half was observed.'),
          coverage: z
            .object({
              day: share.describe('Observed share of the last 24 hours.'),
              week: share.describe('Observed share of the last 7 days.'),
              month: share.describe('Observed share of the last 30 days.'),
            })
            .describe(
              'Share of each period that was observed, 0 to 1. Method: each visit holds until the next one; between two visits of different outcome the change lies in the middle. Not observed is the time between two visits if it is more than a tenth (at least ten minutes) longer than the planned wait, and the time after a visit that says nothing: one that the host declined, one that a limit of the crawler ended, and a failed one without another failed one next to it. Resolution: the wait between visits, 6 hours while an instance is up and one hour in the first day of an outage; a shorter outage can be missed. Bias: less than 0.1 percentage points over 30 days in simulated outages. All other published times are times of visits.',
            ),
        })
        .describe('Share of the observed time that the instance was up.'),
      { source: 'visits', unit: 'share' },
    ),
    hosting: Hosting.describe('Where the host is, as far as the address tells that it answered at.'),
    missing: addCodebookNotes(
      z
        .array(z.string())
        .describe(
          'Why facts that the server reports are unknown, as of the last visit that read facts: FIELD=CODE for each, such as `limits.maxBioLength=not-reported`, with the name of the field in instances.json; empty when all are known. Country and network are not among them: they are unknown without a database.',
        ),
      { source: 'Loopscout' },
    ),
    flags: addCodebookNotes(flags, { source: 'Loopscout, by named rules' }),
    joinable: addCodebookNotes(
      z
        .boolean()
        .describe(
          `Whether newcomers can be sent to it: it is up, registration is on in the mode \`open\` or without a mode, it has neither the flag \`unconfirmed\` nor \`outdated\`, and it was up at least ${MIN_UPTIME * 100}% of the observed part of the last 30 days, or less than half of them was observed.`,
        ),
      { source: 'Loopscout, by named rules' },
    ),
    firstSeen: addCodebookNotes(Time.describe('When the domain first became known.'), { source: 'Loopscout' }),
    lastSeen: addCodebookNotes(Time.nullable().describe('The last successful visit; null when there was none.'), {
      source: 'Loopscout',
    }),
    checkedAt: addCodebookNotes(
      Time.describe('Start of the last visit that read facts; a fact that it could not read keeps its earlier value.'),
      { source: 'Loopscout' },
    ),
  })
  .describe('A Loops instance that is listed.');
addCodebookNotes(InstanceEntry, { source: 'Loopscout' });
export type InstanceEntry = z.infer<typeof InstanceEntry>;
