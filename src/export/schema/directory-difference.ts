import { z } from 'zod';
import { Time } from '../../views/schema/fields.ts';

const domain = z.string().describe('The domain of the instance.');
const name = z.string().nullable().describe('Its name; null when it gives none.');
const version = z.string().nullable();
const one = z.object({ domain, name });
const versions = z.object({
  domain,
  from: z.string().describe('The version before.'),
  to: z.string().describe('The version after.'),
});
const count = z.int().nonnegative();

/** Why a listed instance is no longer listed. */
const GoneBecause = z.enum([
  'opted-out',
  'never-visited',
  'not-loops',
  'dead',
  'gone',
  'revived',
  'noindex',
  'same-instance',
]);

/** The changes of the directory between two times (`diff --json`). Lists are sorted by domain. */
export const DirectoryDifference = z
  .object({
    from: Time.describe('The earlier time.'),
    to: Time.describe('The later time.'),
    listed: z.object({
      before: count.describe('Listed instances at the earlier time.'),
      after: count.describe('Listed instances at the later time.'),
    }),
    new: z
      .array(one.extend({ version: version.describe('Its version; null when unknown.') }))
      .describe('Listed only after.'),
    gone: z
      .array(one.extend({ because: GoneBecause.describe('What keeps it out.') }))
      .describe('Listed only before, and not moved.'),
    moved: z
      .array(z.object({ from: domain, to: z.string().describe('The listed domain that it leads to.') }))
      .describe('Listed only before, and leading to one that is listed after; that one is not in `new`.'),
    upgraded: z.array(versions).describe('Of a newer version after (Semantic Versioning).'),
    downgraded: z.array(versions).describe('Of an older version after.'),
    versionChanged: z.array(versions).describe('Of another version after, where the two have no order.'),
    opened: z.array(one).describe('Registration was closed and is open.'),
    closed: z.array(one).describe('Registration was open and is closed.'),
    renamed: z
      .array(z.object({ domain, from: name, to: name }))
      .describe('Of another name after, or of one where there was none.'),
    up: z.array(one).describe('Down before and up after.'),
    down: z.array(one).describe('Up before and down after.'),
  })
  .meta({ title: 'diff', description: 'What changed in the directory between two times.' });
export type DirectoryDifference = z.infer<typeof DirectoryDifference>;
