import * as z from 'zod';
import { cron, days } from './values.ts';

/** `retention`. */
export const Retention = z
  .strictObject({
    stepsDays: days(30, 'How long the steps of each visit are stored.'),
    documentsDays: days(
      30,
      'How long the documents of each visit are stored. The last documents of a domain are always kept.',
    ),
    visitsDays: days(400, 'How long visits are stored. Changes of facts are kept for ever.'),
    usageDays: days(
      400,
      'How long every usage count is stored. Of older counts, one per day is kept for ever; an export as of such a time may show the counts of the day before.',
    ),
    unlistedDays: days(
      90,
      'How long a dead domain stays known whose name never existed and which no source lists any more. Then it is deleted with its visits.',
    ),
  })
  .prefault({})
  .describe('When the service deletes old data.');

/** `flags`. */
export const Flags = z
  .strictObject({
    crowdedFrom: z
      .int()
      .min(2)
      .max(100_000)
      .default(10)
      .describe('Instances are flagged crowded-domain from this many listed under one registrable domain.'),
    staleDays: days(7, 'An instance is flagged stale-facts when one of its facts was last read longer ago than this.'),
    releaseUrl: z
      .url({ protocol: /^https$/ })
      .nullable()
      .default(null)
      .describe(
        'URL of the newest release of the software, as JSON with its version; fetched once a day. null: the newest version found in the crawl is used.',
      ),
  })
  .prefault({})
  .describe('When instances are flagged.');

/** `jobs`. */
export const Jobs = z
  .strictObject({
    crawl: cron('*/5 * * * * *', 'When a pass over the due domains starts, unless one is running.'),
    files: cron('*/10 * * * * *', 'When the opt-out file and file sources are checked for changes.'),
    sources: cron('*/10 * * * *', 'When remote sources are read that are due by their everyHours.'),
    export: cron(
      '*/15 * * * *',
      'When the datasets are exported, if anything was recorded since. Also after the first pass.',
    ),
    upkeep: cron('41 * * * *', 'When old data is deleted and, once a day, the newest release is fetched.'),
    health: cron('*/10 * * * *', 'When the health of the crawler is logged.'),
    maxDelaySeconds: z
      .int()
      .min(0)
      .max(86_400)
      .default(300)
      .describe(
        'Maximum random delay of the jobs sources and upkeep, so that installations do not contact a server at the same time. In seconds.',
      ),
  })
  .prefault({})
  .describe('When the jobs of the service run. A job that is still running is not started again.');

/** `service`. */
export const Service = z
  .strictObject({
    shutdownSeconds: z
      .int()
      .min(1)
      .max(600)
      .default(35)
      .describe('How long a stop of the service waits for running visits. In seconds.'),
  })
  .prefault({})
  .describe('The service, `run`.');
