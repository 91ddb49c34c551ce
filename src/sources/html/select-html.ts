import { createHash } from 'node:crypto';
import { type CheerioAPI, load } from 'cheerio/slim';
import { decodeText } from '../formats/utf8.ts';

export interface HtmlQuery {
  readonly selector: string;
  /** The attribute to read; null for the text. */
  readonly attribute: string | null;
  /** Whether to select only the first element. */
  readonly first: boolean;
}

/** For each query, the value of each element; or the problem in one phrase. */
export type HtmlSelection =
  | { readonly ok: true; readonly found: readonly (readonly string[])[] }
  | { readonly ok: false; readonly problem: string }
  | { readonly ok: false; readonly badSelector: string };

/** Far deeper than any real page, even one with an unclosed tag on every line. */
const MAX_DEPTH = 10_000;
/** Far longer than any host. */
const MAX_TEXT_LENGTH = 2_048;
/** Nested elements repeat the same text; the output is limited to this multiple of the page plus an allowance. */
const MAX_OUTPUT_RATIO = 4;
const OUTPUT_ALLOWANCE = 65_536;

/**
 * Selects elements of a page. A page of several megabytes takes seconds and about twenty times its size in memory, so this runs on a
 * separate thread.
 */
export function selectHtml(html: Uint8Array, queries: readonly HtmlQuery[]): HtmlSelection {
  const text = decodeText(html);
  if (tagDepth(text) > MAX_DEPTH) return { ok: false, problem: `nests its tags over ${MAX_DEPTH} deep` };
  const page = parse(text);
  const maxOutputLength = text.length * MAX_OUTPUT_RATIO + OUTPUT_ALLOWANCE;
  const found: string[][] = [];
  for (const query of queries) {
    const texts = textsOf(page, query, maxOutputLength);
    if (texts === 'bad-selector') return { ok: false, badSelector: query.selector };
    if (texts === 'too-much') return { ok: false, problem: `has too much repeated text for "${query.selector}"` };
    found.push(texts);
  }
  return { ok: true, found };
}

function textsOf(page: CheerioAPI, { selector, attribute, first }: HtmlQuery, maxOutputLength: number) {
  const elements = elementsOf(page, selector);
  if (elements === null) return 'bad-selector';
  const texts: string[] = [];
  let length = 0;
  for (const element of elements) {
    const text = attribute === null ? page(element).text() : (page(element).attr(attribute) ?? '');
    const shortened = text.slice(0, MAX_TEXT_LENGTH);
    length += shortened.length;
    if (length > maxOutputLength) return 'too-much';
    texts.push(shortened);
    if (first) break;
  }
  return texts;
}

/** Null for an invalid selector. */
function elementsOf(page: CheerioAPI, selector: string) {
  try {
    return page(selector).toArray();
  } catch (error) {
    // A stack overflow does not mean that the selector is invalid.
    if (error instanceof RangeError) throw error;
    return null;
  }
}

/**
 * Uses the slim parser, because the full one takes minutes for a deeply nested page. Wraps the page in one element, because selecting is
 * quadratic in the number of top-level elements; the element's name depends on a hash of the page, so the page cannot close it.
 */
function parse(html: string): CheerioAPI {
  const wrapper = `page-${createHash('sha256').update(html).digest('hex')}`;
  return load(`<${wrapper}>${html}</${wrapper}>`);
}

const voidElements = /^(?:area|base|br|col|embed|hr|img|input|link|meta|param|source|track|wbr)$/i;

/**
 * An estimate of the nesting depth of a page: unclosed tags make it too high, stray closing tags too low. Selecting is quadratic in the
 * depth.
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
