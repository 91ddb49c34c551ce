import { createRequire } from 'node:module';
import * as z from 'zod';
import type { DomainOptions } from '../../model/domain/parse-domain.ts';
import { webSourceSettings, webUrl } from '../kinds/source-settings.ts';
import { readPages } from '../read-pages.ts';
import type { Source } from '../source.ts';

/** Whether elements of a page can be selected by it. The parser is loaded with the first selector that is asked about: most settings have none. */
function isCssSelector(text: string): boolean {
  // A text that begins as a tag is taken for a piece of a page.
  if (/^\s*(?:<|$)/.test(text)) return false;
  const { load } = createRequire(import.meta.url)('cheerio/slim') as typeof import('cheerio/slim');
  try {
    load('<p></p>')(text);
    return true;
  } catch {
    return false;
  }
}

/** A CSS selector, in the form that pages are read by. */
const cssSelector = z
  .string()
  .min(1)
  .max(500)
  .refine(
    isCssSelector,
    'a CSS selector, such as "main a[href]"; pseudo-elements and what depends on a browser are none',
  );

/** What the settings say of a directory's page. */
export const PageSourceSettings = z
  .strictObject({
    ...webSourceSettings,
    type: z.literal('page').describe("A directory's page."),
    url: webUrl('The page, or the first of several.'),
    selector: cssSelector.default('a[href]').describe('A CSS selector of the elements that name the servers.'),
    attribute: z
      .string()
      .regex(/^[a-z][a-z0-9-]*$/, 'the name of an attribute in small letters')
      .nullable()
      .default('href')
      .describe('The attribute that holds the host or URL; null for the text of the element.'),
    next: cssSelector
      .optional()
      .describe('A CSS selector of the link to the next page. Unless given, there is one page.'),
    maxBytes: webSourceSettings.maxBytes
      .default(2_097_152)
      .describe('A reading ends after so many bytes, decompressed; a page that goes beyond is not read.'),
    maxPages: webSourceSettings.maxPages.default(50),
  })
  .describe('Links or words on a page of HTML; links to the page’s own host are passed over.');
export type PageSourceSettings = z.infer<typeof PageSourceSettings>;

/** A directory's page as a source. */
export function createPageSource(settings: Readonly<PageSourceSettings>, domains: DomainOptions): Source {
  const url = new URL(settings.url);
  return {
    type: 'page',
    key: settings.id ?? `page ${url.href}`,
    label: url.href,
    host: url.host,
    read: (context) => readPages({ settings, subject: `The source page ${url.href}`, domains, context }),
  };
}
