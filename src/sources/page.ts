import * as z from 'zod';
import type { DomainOptions } from '../domain/parse-domain.ts';
import { cssSelector } from './css-selector.ts';
import { readPages } from './read-pages.ts';
import type { Source } from './source.ts';
import { webSourceSettings, webUrl } from './web-source-settings.ts';

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
