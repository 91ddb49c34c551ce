import { z } from 'zod';
import { addCodebookNotes, Time } from '../../directory/schema/fields.ts';
import { AnyState } from '../../model/domain-record.ts';
import { InstanceFlag } from '../../model/facts/instance-facts.ts';
import { Missing } from '../../model/facts/missing.ts';
import { Reason } from '../../model/reason.ts';
import { Verdict, Via } from '../../model/verdict.ts';

export const VisitLine = z
  .object({
    id: addCodebookNotes(
      z.int().nonnegative().describe('Number of the visit, ascending in the order of recording; unique, the sort key.'),
      {
        unit: 'none',
      },
    ),
    domain: z.string().describe('Domain that was visited.'),
    visitedAt: Time.describe('Start of the visit.'),
    durationMs: addCodebookNotes(z.int().nonnegative().describe('Duration of the visit.'), { unit: 'ms' }),
    verdict: Verdict.describe('Result of the visit.'),
    reason: Reason.describe('Reason for the verdict.'),
    via: addCodebookNotes(Via.nullable().describe('Probe that named the software; null when none did.'), {
      source: 'the probe that answered',
    }),
    software: addCodebookNotes(z.string().nullable().describe('Software id that was named; null when none was.'), {
      source: 'config `app.software`, else NodeInfo `software.name`',
    }),
    version: addCodebookNotes(z.string().nullable().describe('Software version that was named; null when none was.'), {
      source: 'config `app.version`, else NodeInfo `software.version`',
    }),
    missing: Missing.nullable().describe('Why no software was named; null when it was.'),
    aliasOf: addCodebookNotes(
      z
        .string()
        .nullable()
        .describe(
          'Domain it redirected to; null when it did not redirect, or when that domain opted out or asks not to be published.',
        ),
      {
        source: 'HTTP redirect',
      },
    ),
    state: AnyState.nullable().describe(
      'State of the domain after the visit; null for visits from before it was recorded.',
    ),
    flags: z
      .array(InstanceFlag)
      .nullable()
      .describe(
        'Anomalies found in the documents of the visit, so without flags that compare counts, instances or ages; null when it was not Loops.',
      ),
  })
  .meta({ title: 'visits', description: 'One row of visits/YYYY-MM: a visit that began in that month (UTC).' });
addCodebookNotes(VisitLine, { source: 'Loopscout' });
export type VisitLine = z.infer<typeof VisitLine>;
