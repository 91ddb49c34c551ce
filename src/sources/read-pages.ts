import type { SourceAnswer } from '../http/source-http.ts';
import { BodyError } from '../http/stream-body.ts';
import type { DomainOptions } from '../model/domain/parse-domain.ts';
import { readItem } from './formats/read-item.ts';
import { packedTexts } from './html/html-selection.ts';
import type { WebLimits } from './kinds/source-settings.ts';
import type { SourceContext, SourceEnd, SourceItem } from './source.ts';
import { SourceError } from './source-error.ts';
import { startWebRun, type WebRun } from './web-run.ts';

/** Which pages, and what on them. */
export interface PageReading extends WebLimits {
  readonly url: string;
  /** Of the elements that name servers, and where in them; null: their text. */
  readonly selector: string;
  readonly attribute: string | null;
  /** Of the link to the next page. */
  readonly next?: string | undefined;
}

export interface ReadPagesOptions {
  settings: PageReading;
  /** `The source page https://x.example`, which begins every message. */
  subject: string;
  domains: DomainOptions;
  context: SourceContext;
}

const NOTHING = new Uint8Array();
const SELECTOR_CURE = 'correct it in the settings';
const USUAL_CURE = 'see whether the page still stands there, and switch the source off ("enabled": false) if not';

/**
 * Reads the elements that name servers off one page after another. What was read when it breaks is kept.
 * @throws {SourceError} when nothing of it can be read, or a selector is none
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
    throw new SourceError(subject, problem, cure ?? USUAL_CURE, { kind: 'failure', retryAfterMs });
  };
  try {
    const read = new Set<string>();
    let url: URL | null = new URL(settings.url);
    for (let pages = 1; url !== null; pages += 1) {
      if (read.has(url.href)) return run.end('partial', `page ${pages} is one that was read before`);
      read.add(url.href);
      if (pages > settings.maxPages) return run.end('partial', `it has more than ${settings.maxPages} pages`);
      if (pages > 1) await run.pause();
      const conditions = nextSelector === undefined ? context.previous : null;
      const answer = await run.fetch(url, { accept: 'text/html, application/xhtml+xml', conditions });
      if (answer.kind === 'none') return stop(answer.problem, answer.cure, answer.retryAfterMs);
      if (nextSelector === undefined) run.keepValidators(answer.status === 304 ? context.previous : answer);
      if (answer.status === 304) return run.end('unchanged');
      const html = await wholeBody(answer, run);
      if (html instanceof BodyError) return stop(`breaks off: ${html.message}`, null);
      const limits = { signal: context.signal, withinMs: run.leftMs() };
      const selection = await context.selectHtml(html, queries, limits);
      if (!selection.ok) {
        if ('problem' in selection) return stop(selection.problem, null);
        throw new SourceError(subject, `has a selector that is none: "${selection.badSelector}"`, SELECTOR_CURE);
      }

      const base = answer.url;
      const [servers = NOTHING, links = NOTHING] = selection.found;
      for (const text of packedTexts(servers)) {
        line += 1;
        const outside = attribute === 'href' ? outsideLink(text, base) : text;
        yield outside === null ? { kind: 'blank', line } : readItem(line, outside, domains);
      }
      if (servers.length === 0 && pages === 1)
        return stop(`has nothing that "${selector}" selects`, 'correct its "selector" in "sources" of the settings');
      const [following] = packedTexts(links);
      url = following === undefined ? null : onSameHost(following, base);
    }
    return run.end('complete');
  } finally {
    run[Symbol.dispose]();
  }
}

async function wholeBody(answer: SourceAnswer, run: WebRun): Promise<Uint8Array<ArrayBuffer> | BodyError> {
  const chunks: Uint8Array[] = [];
  try {
    for await (const chunk of run.counted(answer.body)) chunks.push(chunk);
  } catch (error) {
    if (error instanceof BodyError) return error;
    throw error;
  }
  // A buffer of its own, which can be given away.
  const whole = new Uint8Array(chunks.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
}

/** Null for a link that leads nowhere else: the directory's own pages, a place on the page, a mail address. */
function outsideLink(written: string, base: URL): string | null {
  const link = written.trim();
  if (!/^(?:https?:)?[/\\]{2}/i.test(link)) return null;
  return URL.parse(link, base.href)?.host === base.host ? null : link;
}

function onSameHost(link: string, base: URL): URL | null {
  const url = URL.parse(link, base.href);
  return url?.origin === base.origin ? url : null;
}
