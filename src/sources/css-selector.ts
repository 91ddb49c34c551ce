import { createRequire } from 'node:module';
import * as z from 'zod';

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
export const cssSelector = z
  .string()
  .min(1)
  .max(500)
  .refine(
    isCssSelector,
    'a CSS selector, such as "main a[href]"; pseudo-elements and what depends on a browser are none',
  );
