import * as z from 'zod';
import { cron, days } from './values.ts';

/** `retention`. */
export const Retention = z
  .strictObject({
    stepsDays: days(30, 'How long the steps of each visit are kept.'),
    documentsDays: days(
      30,
      'How long received documents are kept unchanged. The latest of each domain are always kept.',
    ),
    visitsDays: days(400, 'How long visits are kept. Changes of facts are kept for ever.'),
    usageDays: days(400, 'How long every usage count is kept. After that, only one count per day is kept, for ever.'),
    unlistedDays: days(
      90,
      'How long a dead domain is kept after the last source stopped listing it, if it never answered and its name does not exist (NXDOMAIN). It is deleted with its visits.',
    ),
  })
  .prefault({})
  .describe('What the service deletes, and when.');

/** `flags`. */
export const Flags = z
  .strictObject({
    crowdedFrom: z
      .int()
      .min(2)
      .max(100_000)
      .default(10)
      .describe('From this number of listed instances under one registrable domain, they are flagged crowded-domain.'),
    staleDays: days(7, 'When a fact was last read longer ago than this, its instance is flagged stale-facts.'),
    releaseUrl: z
      .url({ protocol: /^https$/ })
      .nullable()
      .default(null)
      .describe(
        'URL of the newest release of the software, as JSON with its version; fetched once a day. null: the newest version found under two registrable domains is used.',
      ),
  })
  .prefault({})
  .describe('When instances are flagged.');

/** `jobs`. */
export const Jobs = z
  .strictObject({
    crawl: cron('*/5 * * * * *', 'When a pass over the due domains starts, unless one is running.'),
    files: cron('*/10 * * * * *', 'When the opt-out file and file sources are checked for changes.'),
    sources: cron('*/10 * * * *', 'When remote sources are read, if due by their everyHours.'),
    export: cron(
      '*/15 * * * *',
      'When the datasets are exported, if anything was recorded since the last export; also right after the first pass.',
    ),
    upkeep: cron('41 * * * *', 'When old data is deleted and, once a day, the newest version is fetched.'),
    health: cron('*/10 * * * *', "When the crawler's health is logged."),
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
