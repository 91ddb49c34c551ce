import * as z from 'zod';
import { cron, days } from './values.ts';

/** `retention`. */
export const Retention = z
  .strictObject({
    stepsDays: days(30, 'How long the requests of each visit are kept.'),
    documentsDays: days(
      30,
      'How long the documents that each visit received are kept as they came; the last ones of a domain are kept anyway.',
    ),
    visitsDays: days(400, 'How long visits are kept. Changes of facts are kept for ever.'),
    usageDays: days(
      400,
      'How long every count that was read is kept; of older ones, one a day is, for ever, and in files that are rebuilt as of such a time counts can be those of the day before.',
    ),
    unlistedDays: days(
      90,
      'How long a domain stays known that sources brought, of which nothing was ever heard but that there is no such name, and that none of them lists any more; from when it counts as dead. Its visits go with it.',
    ),
  })
  .prefault({})
  .describe('What the service throws away, and when.');

/** `flags`. */
export const Flags = z
  .strictObject({
    crowdedFrom: z
      .int()
      .min(2)
      .max(100_000)
      .default(10)
      .describe('So many listed instances under one registrable domain are flagged as crowded-domain.'),
    staleDays: days(7, 'A fact that was last read longer ago than this makes its instance stale-facts.'),
    releaseUrl: z
      .url({ protocol: /^https$/ })
      .nullable()
      .default(null)
      .describe(
        'Where the newest release of the software is published, as JSON with its version; asked once a day. null: the newest version met in the crawl is taken for it.',
      ),
  })
  .prefault({})
  .describe('When instances are flagged.');

/** `jobs`. */
export const Jobs = z
  .strictObject({
    crawl: cron('*/5 * * * * *', 'When due domains are looked for, unless a pass over them is under way.'),
    files: cron('*/10 * * * * *', 'When changes of the opt-out file and of file sources are looked for.'),
    sources: cron(
      '*/10 * * * *',
      'When sources that ask other servers are read, those that are due by their everyHours.',
    ),
    export: cron(
      '*/15 * * * *',
      'When the datasets are exported, if anything was recorded since; the first time, after the first pass too.',
    ),
    upkeep: cron('41 * * * *', 'When old data is thrown away, and, once a day, the newest release is asked for.'),
    health: cron('*/10 * * * *', 'When the log says how the crawler itself is.'),
    maxDelaySeconds: z
      .int()
      .min(0)
      .max(86_400)
      .default(300)
      .describe(
        'The jobs sources and upkeep begin up to this much later, at random, so that installations do not ask a server at the same moment. In seconds.',
      ),
  })
  .prefault({})
  .describe('When the jobs of the service run; a job that is still running is not started again.');

/** `service`. */
export const Service = z
  .strictObject({
    shutdownSeconds: z
      .int()
      .min(1)
      .max(600)
      .default(35)
      .describe('How long running visits may take to end when the service is told to stop. In seconds.'),
  })
  .prefault({})
  .describe('The service, `run`.');
