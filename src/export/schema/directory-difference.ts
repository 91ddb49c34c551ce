import { z } from 'zod';
import { Time } from '../../directory/schema/fields.ts';

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

/** Why an instance is not listed. `gone` here means status 410. */
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

/** The changes from one published directory to another (`diff --json`). Lists are sorted by domain. */
export const DirectoryDifference = z
  .object({
    from: Time.describe('When the first file was written.'),
    to: Time.describe('When the second file was written.'),
    listed: z.object({
      before: count.describe('Instances in the first file.'),
      after: count.describe('Instances in the second file.'),
    }),
    new: z
      .array(instance.extend({ version: version.describe('Its version; null when unknown.') }))
      .describe('Listed only in the second file.'),
    gone: z
      .array(
        instance.extend({
          because: GoneBecause.nullable().describe(
            'Why it is not listed now; `gone`: its server answers 410 (Gone). Null when it is listed again, or the database does not know it.',
          ),
        }),
      )
      .describe('Listed only in the first file, and not moved.'),
    moved: z
      .array(z.object({ from: domain, to: z.string().describe('The listed domain that it redirects or points to.') }))
      .describe(
        'Listed only in the first file, and now pointing to a domain that the second file lists. That domain is not in `new`.',
      ),
    upgraded: z.array(versions).describe('Instances with a newer version in the second file (Semantic Versioning).'),
    downgraded: z.array(versions).describe('Instances with an older version in the second file.'),
    versionChanged: z.array(versions).describe('Instances whose version changed and cannot be ordered.'),
    opened: z.array(instance).describe('Registration opened.'),
    closed: z.array(instance).describe('Registration closed.'),
    renamed: z
      .array(z.object({ domain, from: name, to: name }))
      .describe('Instances whose name changed, appeared or disappeared.'),
    up: z.array(instance).describe('Down in the first file and up in the second.'),
    down: z.array(instance).describe('Up in the first file and down in the second.'),
  })
  .meta({ title: 'diff', description: 'What changed between two published directories.' });
export type DirectoryDifference = z.infer<typeof DirectoryDifference>;
