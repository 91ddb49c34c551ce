import * as z from 'zod';
import { relative } from './values.ts';

const nullableFile = (description: string) =>
  z.string().min(1).nullable().default(null).describe(`${description} null: none. ${relative}`);

/** Only these protocols, so that no link runs a script. */
const link = (description: string) =>
  z
    .url({ protocol: /^(?:https?|mailto)$/, error: 'an https, http or mailto URL' })
    .nullable()
    .default(null)
    .describe(`${description} null: no link.`);

/** One line of text that people can read. */
const line = (max: number) =>
  z.string().regex(new RegExp(`^(?=.*[\\p{L}\\p{N}])[^\\p{C}\\p{Zl}\\p{Zp}]{1,${max}}$`, 'u'), {
    error: `one line of text, at most ${max} characters`,
  });

/** The name of a directory. */
export const SiteName = line(60);

/** `site`. */
export const SiteSettings = z
  .strictObject({
    name: SiteName.default('Loopscout').describe('The name of the directory.'),
    text: line(500)
      .nullable()
      .default(null)
      .describe('What the directory is, in a sentence or two, below the heading of its first page. null: our text.'),
    logo: nullableFile('An image beside the name, best square: SVG, PNG, JPEG, WebP, AVIF or ICO, at most 256 KiB.'),
    icon: nullableFile('The icon of browser tabs, in the same formats. The logo, if only that is set.'),
    accent: z
      .string()
      .regex(/^#[0-9a-f]{6}$/i, 'a colour such as #0a7f5a')
      .nullable()
      .default(null)
      .describe(
        'The colour of links, buttons and charts. On light pages it is darkened, and on dark pages lightened, as far as its text needs to be readable (contrast 4.5:1, WCAG AA). null: our colour.',
      ),
    links: z
      .strictObject({
        imprint: link('The legal notice.'),
        privacy: link('The privacy policy.'),
        contact: link('Where visitors can write to you.'),
        source: link('The source code of the site.'),
      })
      .prefault({})
      .describe('Links at the end of every page.'),
    language: z
      .string()
      .refine(isLanguage, 'a language tag such as de or pt-BR')
      .default('en')
      .describe('The language of the pages: how numbers and dates are written, and what browsers are told.'),
    words: nullableFile(
      'A JSON file with texts that replace ours, for another language or tone; loopscout settings --words writes them all.',
    ),
    liveUrl: z
      .url({ protocol: /^https?$/, error: 'an http or https URL' })
      .overwrite((url) => url.replace(/\/+$/, ''))
      .nullable()
      .default(null)
      .describe(
        'The URL of a running service, to which the static site leads for a check and for adding a server. null: none; its pages then name the contact.',
      ),
  })
  .prefault({})
  .describe('The name, look and language of the pages. Changes need a restart.');

function isLanguage(tag: string): boolean {
  try {
    return Intl.NumberFormat.supportedLocalesOf(tag).length > 0;
  } catch {
    return false;
  }
}
