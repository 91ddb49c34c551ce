import { createRequire } from 'node:module';
import { arrayBuffer } from 'node:stream/consumers';
import * as z from 'zod';
import type { SourceAnswer } from '../../http/source-http.ts';
import { BodyError } from '../../http/stream-body.ts';
import type { DomainOptions } from '../../model/domain/parse-domain.ts';
import { readItem } from '../formats/read-item.ts';
import { nextInLinkHeader, nextPageAt } from '../next-page.ts';
import { type Source, type SourceContext, type SourceEnd, SourceError, type SourceItem } from '../source.ts';
import { challengeIn, type Fault, WebRun } from '../web-run.ts';
import { webSourceSettings, webUrl } from './source-settings.ts';

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

export function createPageSource(settings: Readonly<PageSourceSettings>, domains: DomainOptions): Source {
  const url = new URL(settings.url);
  return {
    type: 'page',
    key: settings.id ?? `page ${url.href}`,
    label: url.href,
    host: url.host,
    read: (context) => readPages(settings, domains, context),
  };
}

const SELECTOR_CURE = 'correct it in the settings';
const DEFAULT_CURE = 'check that the page still exists, or switch the source off ("enabled": false)';
/** How pages announce the next one (HTML, link type `next`). */
const ANNOUNCED_NEXT = { selector: 'a[rel~="next" i], link[rel~="next" i]', attribute: 'href', first: true };

/**
 * Reads the elements that name servers, page after page. If it fails midway, the items already yielded remain valid.
 *
 * @throws {SourceError} when nothing can be read, or a selector is invalid.
 */
async function* readPages(
  settings: Readonly<PageSourceSettings>,
  domains: DomainOptions,
  context: SourceContext,
): AsyncGenerator<SourceItem, SourceEnd> {
  const subject = `The source page ${new URL(settings.url).href}`;
  const { selector, attribute, next: nextSelector } = settings;
  using run = new WebRun({ subject, context, limits: settings, cure: DEFAULT_CURE });
  const next = nextSelector === undefined ? ANNOUNCED_NEXT : { ...ANNOUNCED_NEXT, selector: nextSelector };
  const queries = [{ selector, attribute, first: false }, ANNOUNCED_NEXT, next];
  let line = 0;
  const stop = (problem: string, more: Partial<Fault> = {}) => run.stop({ problem, cure: null, ...more }, line);
  const requested = new Set<string>();
  let url: URL | null = new URL(settings.url);
  for (let pages = 1; url !== null; pages += 1) {
    if (requested.has(url.href)) return run.end('partial', `page ${pages - 1} links to a page that was already read`);
    requested.add(url.href);
    if (pages > settings.maxPages) return run.end('partial', `it has more than ${settings.maxPages} pages`);
    if (pages > 1) await run.pause();
    // A 304 can replace only a list on a single page.
    const conditions = pages === 1 ? context.previous : null;
    const answer = await run.fetch(url, { accept: 'text/html, application/xhtml+xml', conditions });
    if (answer.kind === 'none') return run.stop(answer, line);
    run.setValidators(pages > 1 ? null : answer.status === 304 ? context.previous : answer);
    if (answer.status === 304) return run.end('unchanged');
    const html = await readBody(answer, run);
    if (html instanceof BodyError) return stop(`ends early: ${html.message}`);
    const challenge = await challengeIn(answer, html);
    if (challenge !== null) return stop(challenge, { isDenied: true });
    const limits = { signal: context.signal, withinMs: run.leftMs() };
    const selection = await context.selectHtml(html, queries, limits);
    if (!selection.ok) {
      if ('problem' in selection) return stop(selection.problem);
      throw new SourceError(subject, `has an invalid selector: "${selection.badSelector}"`, SELECTOR_CURE);
    }

    const base = answer.url;
    const [servers = [], announced = [], links = []] = selection.found;
    for (const text of servers) {
      line += 1;
      const external = attribute === 'href' ? externalLink(text, base) : text;
      yield external === null ? { kind: 'blank', line } : readItem(line, external, domains);
    }
    if (servers.length === 0 && pages === 1)
      return stop(`has no element for "${selector}"`, {
        cure: 'correct its "selector" in "sources" of the settings',
      });
    const following = nextSelector === undefined ? null : pageLink(links);
    if (following === null) {
      const link = pageLink(announced) ?? nextInLinkHeader(answer.headers.link);
      if (link === null) break;
      return run.end('partial', `page ${pages} announces another page, which ${describeSelector(nextSelector)}`);
    }
    const target: URL | string = nextPageAt(following, base);
    if (typeof target === 'string') return run.end('partial', target);
    url = target;
  }
  return run.end('complete');
}

/** In a buffer of its own, so that it can be transferred to a thread. */
async function readBody(answer: SourceAnswer, run: WebRun): Promise<Uint8Array<ArrayBuffer> | BodyError> {
  try {
    return new Uint8Array(await arrayBuffer(run.countBytes(answer.body)));
  } catch (error) {
    if (error instanceof BodyError) return error;
    throw error;
  }
}

/** Null for a link that does not lead to another host: the directory's own pages, a fragment, a mail address. */
function externalLink(written: string, base: URL): string | null {
  const link = written.trim();
  if (!/^(?:https?:)?[/\\]{2}/i.test(link)) return null;
  return URL.parse(link, base.href)?.host === base.host ? null : link;
}

/** The first link; null without one, and for a link within the page: the button of a last page often leads nowhere. */
function pageLink([link]: readonly string[]): string | null {
  return link === undefined || /^\s*(?:#|$)/.test(link) ? null : link;
}

function describeSelector(nextSelector: string | undefined): string {
  return nextSelector === undefined
    ? 'is not read: select its link with "next" in the settings'
    : `"${nextSelector}" ("next" in the settings) does not select`;
}
