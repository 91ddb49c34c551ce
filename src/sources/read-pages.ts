import type { SourceAnswer } from '../http/source-http.ts';
import { BodyError } from '../http/stream-body.ts';
import type { DomainOptions } from '../model/domain/parse-domain.ts';
import { nextInLinkHeader } from './formats/link-header.ts';
import { readItem } from './formats/read-item.ts';
import type { WebLimits } from './kinds/source-settings.ts';
import { nextPageAt } from './next-page.ts';
import type { SourceContext, SourceEnd, SourceItem } from './source.ts';
import { SourceError } from './source-error.ts';
import { challengeIn, type Fault, startWebRun, type WebRun } from './web-run.ts';

/** The settings that reading pages needs. */
export interface PageSettings extends WebLimits {
  readonly url: string;
  /** Selects the elements that name servers. */
  readonly selector: string;
  /** The attribute with the host or URL; null for the text of the element. */
  readonly attribute: string | null;
  /** Selects the link to the next page. */
  readonly next?: string | undefined;
}

export interface ReadPagesOptions {
  settings: PageSettings;
  /** The subject of every message: `The source page https://x.example`. */
  subject: string;
  domains: DomainOptions;
  context: SourceContext;
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
export async function* readPages(options: ReadPagesOptions): AsyncGenerator<SourceItem, SourceEnd> {
  const { settings, subject, domains, context } = options;
  const { selector, attribute, next: nextSelector } = settings;
  const run = startWebRun({ subject, context, limits: settings, cure: DEFAULT_CURE });
  const next = nextSelector === undefined ? ANNOUNCED_NEXT : { ...ANNOUNCED_NEXT, selector: nextSelector };
  const queries = [{ selector, attribute, first: false }, ANNOUNCED_NEXT, next];
  let line = 0;
  const stop = (problem: string, more: Partial<Fault> = {}) => run.stop({ problem, cure: null, ...more }, line);
  try {
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
  } finally {
    run[Symbol.dispose]();
  }
}

async function readBody(answer: SourceAnswer, run: WebRun): Promise<Uint8Array<ArrayBuffer> | BodyError> {
  const chunks: Uint8Array[] = [];
  try {
    for await (const chunk of run.countBytes(answer.body)) chunks.push(chunk);
  } catch (error) {
    if (error instanceof BodyError) return error;
    throw error;
  }
  // A separate buffer, so that it can be transferred to a thread.
  const whole = new Uint8Array(chunks.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
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
