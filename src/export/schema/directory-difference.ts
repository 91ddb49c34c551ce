import { z } from 'zod';
import { Time } from '../../views/schema/fields.ts';

const domain = z.string().describe('The domain of the instance.');
const name = z.string().nullable().describe('Its name; null when it gives none.');
const version = z.string().nullable();
const instance = z.object({ domain, name });
const versions = z.object({
  domain,
  from: z.string().describe('The earlier version.'),
  to: z.string().describe('The later version.'),
});
const count = z.int().nonnegative();

/** Why an instance is no longer listed. `gone` here means status 410. */
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
      .array(instance.extend({ version: version.describe('Its version; null when unknown.') }))
      .describe('Listed only at the later time.'),
    gone: z
      .array(
        instance.extend({
          because: GoneBecause.describe(
            'Why it is no longer listed; `gone`: its server answers 410 (Gone); `opted-out`: its owner opted out, or it is not known any more.',
          ),
        }),
      )
      .describe('Listed only at the earlier time, and not moved.'),
    moved: z
      .array(z.object({ from: domain, to: z.string().describe('The listed domain that it redirects or points to.') }))
      .describe(
        'Listed only at the earlier time, and now pointing to a domain that is listed at the later time. That domain is not in `new`.',
      ),
    upgraded: z.array(versions).describe('Instances with a newer version at the later time (Semantic Versioning).'),
    downgraded: z.array(versions).describe('Instances with an older version at the later time.'),
    versionChanged: z.array(versions).describe('Instances whose version changed and cannot be ordered.'),
    opened: z.array(instance).describe('Registration opened.'),
    closed: z.array(instance).describe('Registration closed.'),
    renamed: z
      .array(z.object({ domain, from: name, to: name }))
      .describe('Instances whose name changed, appeared or disappeared.'),
    up: z.array(instance).describe('Down at the earlier time and up at the later time.'),
    down: z.array(instance).describe('Up at the earlier time and down at the later time.'),
  })
  .meta({ title: 'diff', description: 'What changed in the directory between two times.' });
export type DirectoryDifference = z.infer<typeof DirectoryDifference>;
