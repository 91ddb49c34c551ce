import { z } from 'zod';
import type { About } from '../../directory/about.ts';
import { addCodebookNotes, Time } from '../../directory/schema/fields.ts';
import { RunOutcome } from '../../model/run-outcome.ts';
import { isoTime } from '../../model/time.ts';
import type { StoreReader } from '../../store/store-reader.ts';

const count = (unit: string, meaning: string) => addCodebookNotes(z.int().nonnegative().describe(meaning), { unit });
const number = (unit: string, meaning: string) =>
  addCodebookNotes(z.number().nonnegative().describe(meaning), { unit });

/** How the data were sampled, in `manifest.json`. */
export const Sampling = z
  .object({
    since: Time.nullable().describe('The first recorded change or stored visit; null when there is none.'),
    until: Time.nullable().describe('Start of the last visit; null when there is none.'),
    gaps: z
      .array(
        z.object({
          startedAt: Time.describe('When a visit was due, and no visit began any more.'),
          endedAt: Time.describe('When the next visit began.'),
        }),
      )
      .describe(
        'Times of more than an hour in which visits were due, but none began: the crawler was offline, or did not run. The last 1,000, oldest first.',
      ),
    contact: z.string().describe('How to reach the operator of the crawler.'),
    userAgent: z.string().describe('The User-Agent of every request.'),
    robots: z
      .enum(['standard', 'strict', 'off'])
      .describe(
        'How robots.txt was obeyed: `standard`, but its group for all crawlers does not apply to the public configuration endpoint; `strict`, it applies there too; `off`, it was not read.',
      ),
    workers: count(
      'workers',
      'Workers on other machines, each with an address of its own, that carried out visits in the last 30 days. With 0, every visit was made from one machine.',
    ),
    intervals: z
      .array(
        z.object({
          after: z.string().describe('The outcome of a visit, as the key of `cadence` in the settings: `loopsHours`.'),
          hours: number('hours', 'The wait before the next visit.'),
          doubles: z.boolean().describe('Whether it doubles with each further visit of the same outcome.'),
        }),
      )
      .describe('The waits between two visits of a domain; those that double grow up to `maxHours`.'),
    maxHours: number('hours', 'Upper limit of doubled waits, and of Retry-After.'),
    jitter: number('share', 'Each wait is randomly lengthened or shortened by up to this share.'),
    deadAfterFailures: count('visits', 'A domain is dead after more failed visits in a row than this ...'),
    deadAfterDays: number('days', '... over more days than this.'),
    visitsKeptDays: number('days', 'Visits are deleted from the database after so long; published months stay.'),
    sources: z
      .array(
        z.object({
          name: z
            .string()
            .describe(
              'Its name in all files: its `id` in the settings, else its kind with the file name or the host. Paths and URLs are not published.',
            ),
          kind: z
            .string()
            .describe('Its kind, as `type` in the settings. `crawled` derives its list from the other sources.'),
          active: z.boolean().describe('Whether the settings have it, and enable it.'),
          firstRun: Time.describe('When it was first read.'),
          lastRun: Time.nullable().describe('When it was last read; null when no run is stored.'),
          lastOutcome: RunOutcome.nullable().describe('How that run ended; null while it is in progress.'),
          lastCompleteRun: Time.nullable().describe('The last run that read the whole list; null when none did.'),
        }),
      )
      .describe('Every source of domains that was ever read, in the order of their first runs.'),
  })
  .describe('How the data were sampled, with the settings in force at the export.');
export type Sampling = z.infer<typeof Sampling>;

export function samplingOf(source: StoreReader, about: About): Sampling {
  const { contact, userAgent, robots, intervals, maxHours, jitter, deadAfter, retention } = about;
  return {
    since: isoTime(source.visits.firstRecord()),
    until: isoTime(source.visits.last()?.at ?? null),
    gaps: source.visits
      .gaps()
      .map(({ startedAt, endedAt }) => ({ startedAt: isoTime(startedAt), endedAt: isoTime(endedAt) })),
    ...{ contact, userAgent, robots },
    workers: source.crawler.workers().length,
    intervals: [...intervals],
    ...{ maxHours, jitter },
    deadAfterFailures: deadAfter.failures,
    deadAfterDays: deadAfter.days,
    visitsKeptDays: retention.visitsDays,
    sources: source.sources.all().map(({ name, type, isActive, firstAt, lastRun, lastComplete }) => ({
      name,
      kind: type,
      active: isActive,
      firstRun: isoTime(firstAt),
      lastRun: isoTime(lastRun?.begunAt ?? null),
      lastOutcome: lastRun?.outcome ?? null,
      lastCompleteRun: isoTime(lastComplete?.begunAt ?? null),
    })),
  };
}
