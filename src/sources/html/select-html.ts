import { createHash } from 'node:crypto';
import { type CheerioAPI, load } from 'cheerio/slim';
import type { HtmlQuery, HtmlSelection } from './html-selection.ts';

/** No page that people read comes near it, even with a tag left open in each line. */
const DEEPEST = 10_000;
/** Far longer than what could hold a host. */
const LONGEST_TEXT = 2_048;
/** Elements within elements have the same text again and again: together no more than so many times the page, and a little. */
const MOST_TIMES_THE_PAGE = 4;
const A_LITTLE = 65_536;

/**
 * Finds elements of a page by selectors. It takes seconds for a page of megabytes, and some twenty times its size in memory: to be called
 * where nobody waits.
 */
export function selectHtml(html: Uint8Array, queries: readonly HtmlQuery[]): HtmlSelection {
  const text = new TextDecoder().decode(html);
  if (tagDepth(text) > DEEPEST) return { ok: false, problem: `nests its tags over ${DEEPEST} deep` };
  const page = parse(text);
  const most = text.length * MOST_TIMES_THE_PAGE + A_LITTLE;
  const found: Uint8Array[] = [];
  for (const query of queries) {
    const lines = linesOf(page, query, most);
    if (lines === 'no-selector') return { ok: false, badSelector: query.selector };
    if (lines === 'too-much')
      return { ok: false, problem: `has the same text over and over where "${query.selector}" selects` };
    // A buffer of its own, which can be moved to another thread.
    found.push(new TextEncoder().encode(lines.join('')));
  }
  return { ok: true, found };
}

/** One line of JSON for each element. */
function linesOf(page: CheerioAPI, { selector, attribute, first }: HtmlQuery, most: number) {
  const lines: string[] = [];
  let length = 0;
  for (const element of elementsOf(page, selector) ?? ['no-selector' as const]) {
    if (element === 'no-selector') return element;
    const text = attribute === null ? page(element).text() : (page(element).attr(attribute) ?? '');
    const line = `${JSON.stringify(text.slice(0, LONGEST_TEXT))}\n`;
    length += line.length;
    if (length > most) return 'too-much';
    lines.push(line);
    if (first) break;
  }
  return lines;
}

/** Null when the selector is none. */
function elementsOf(page: CheerioAPI, selector: string) {
  try {
    return page(selector).toArray();
  } catch (error) {
    if (error instanceof RangeError) throw error;
    return null;
  }
}

/**
 * The lean parser: the full one takes minutes for a page that nests deep. All is put into one element, as a selector takes time with the
 * square of how many stand at the top; a page cannot close it, whose name is made of the page.
 */
function parse(html: string): CheerioAPI {
  const whole = `page-${createHash('sha256').update(html).digest('hex')}`;
  return load(`<${whole}>${html}</${whole}>`);
}

const voidElements = /^(?:area|base|br|col|embed|hr|img|input|link|meta|param|source|track|wbr)$/i;

/**
 * How deep the tags of a page nest at most, by counting: a few more than a parser makes of it, where tags are left open. A selector takes
 * time with the square of it.
 */
function tagDepth(html: string): number {
  let depth = 0;
  let deepest = 0;
  for (const [, slash, name = ''] of html.matchAll(/<(\/?)([a-z][a-z0-9-]{0,40})/gi)) {
    if (slash === '/') depth = Math.max(0, depth - 1);
    else if (!voidElements.test(name)) depth += 1;
    if (depth > deepest) deepest = depth;
  }
  return deepest;
}
