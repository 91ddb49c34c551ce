import { createRequire } from 'node:module';
import * as z from 'zod';
import type { DomainOptions } from '../../model/domain/parse-domain.ts';
import { webSourceSettings, webUrl } from '../kinds/source-settings.ts';
import { readPages } from '../read-pages.ts';
import type { Source } from '../source.ts';

/** Whether a text is a valid selector. Loads the HTML parser on first use, because most settings contain no selector. */
function isCssSelector(text: string): boolean {
  // The parser treats a text that begins with a tag as HTML.
  if (/^\s*(?:<|$)/.test(text)) return false;
  const { load } = createRequire(import.meta.url)('cheerio/slim') as typeof import('cheerio/slim');
  try {
    load('<p></p>')(text);
    return true;
  } catch {
    return false;
  }
}

const cssSelector = z
  .string()
  .min(1)
  .max(500)
  .refine(isCssSelector, 'a CSS selector, such as "main a[href]", without pseudo-elements or browser states');

export const PageSourceSettings = z
  .strictObject({
    ...webSourceSettings,
    type: z.literal('page').describe('A web page that lists servers.'),
    url: webUrl('The page, or the first of several.'),
    selector: cssSelector.default('a[href]').describe('A CSS selector of the elements that name the servers.'),
    attribute: z
      .string()
      .regex(/^[a-z][a-z0-9-]*$/, 'the name of an attribute in lower case')
      .nullable()
      .default('href')
      .describe('The attribute that holds the host or URL; null for the text of the element.'),
    next: cssSelector
      .optional()
      .describe('A CSS selector of the link to the next page. Without it, there is one page.'),
    maxBytes: webSourceSettings.maxBytes
      .default(2_097_152)
      .describe('Maximum bytes per run, decompressed; a page beyond the limit is not read.'),
    maxPages: webSourceSettings.maxPages.default(50),
  })
  .describe('Links or texts on an HTML page; links to the page’s own host are ignored.');
export type PageSourceSettings = z.infer<typeof PageSourceSettings>;

/** A source for a web page that lists servers. */
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
