import type { SourceAnswer } from '../http/source-http.ts';
import { BodyError } from '../http/stream-body.ts';
import type { DomainOptions } from '../model/domain/parse-domain.ts';
import { readItem } from './formats/read-item.ts';
import type { WebLimits } from './kinds/source-settings.ts';
import type { SourceContext, SourceEnd, SourceItem } from './source.ts';
import { SourceError } from './source-error.ts';
import { startWebRun, type WebRun } from './web-run.ts';

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

/**
 * Reads the elements that name servers, page after page. If it fails midway, the items already yielded remain valid.
 *
 * @throws {SourceError} when nothing can be read, or a selector is invalid.
 */
export async function* readPages(options: ReadPagesOptions): AsyncGenerator<SourceItem, SourceEnd> {
  const { settings, subject, domains, context } = options;
  const { selector, attribute, next: nextSelector } = settings;
  const run = startWebRun(subject, context, settings);
  const queries = [{ selector, attribute, first: false }];
  if (nextSelector !== undefined) queries.push({ selector: nextSelector, attribute: 'href', first: true });
  let line = 0;
  const stop = (problem: string, cure: string | null, retryAfterMs: number | null = null): SourceEnd => {
    context.signal.throwIfAborted();
    if (line > 0) return run.end('partial', problem, retryAfterMs);
    throw new SourceError(subject, problem, cure ?? DEFAULT_CURE, { kind: 'failure', retryAfterMs });
  };
  try {
    const requested = new Set<string>();
    let url: URL | null = new URL(settings.url);
    for (let pages = 1; url !== null; pages += 1) {
      if (requested.has(url.href)) return run.end('partial', `page ${pages - 1} links to a page that was already read`);
      requested.add(url.href);
      if (pages > settings.maxPages) return run.end('partial', `it has more than ${settings.maxPages} pages`);
      if (pages > 1) await run.pause();
      const conditions = nextSelector === undefined ? context.previous : null;
      const answer = await run.fetch(url, { accept: 'text/html, application/xhtml+xml', conditions });
      if (answer.kind === 'none') return stop(answer.problem, answer.cure, answer.retryAfterMs);
      if (nextSelector === undefined) run.setValidators(answer.status === 304 ? context.previous : answer);
      if (answer.status === 304) return run.end('unchanged');
      const html = await readBody(answer, run);
      if (html instanceof BodyError) return stop(`ends early: ${html.message}`, null);
      const limits = { signal: context.signal, withinMs: run.leftMs() };
      const selection = await context.selectHtml(html, queries, limits);
      if (!selection.ok) {
        if ('problem' in selection) return stop(selection.problem, null);
        throw new SourceError(subject, `has an invalid selector: "${selection.badSelector}"`, SELECTOR_CURE);
      }

      const base = answer.url;
      const [servers = [], links = []] = selection.found;
      for (const text of servers) {
        line += 1;
        const external = attribute === 'href' ? externalLink(text, base) : text;
        yield external === null ? { kind: 'blank', line } : readItem(line, external, domains);
      }
      if (servers.length === 0 && pages === 1)
        return stop(`has no element for "${selector}"`, 'correct its "selector" in "sources" of the settings');
      const [following] = links;
      url = following === undefined ? null : sameOriginUrl(following, base);
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

/** Null for a link to another origin, because the remote side chooses the link. */
function sameOriginUrl(link: string, base: URL): URL | null {
  const url = URL.parse(link, base.href);
  return url?.origin === base.origin ? url : null;
}
