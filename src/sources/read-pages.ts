import { createHash } from 'node:crypto';
import type { CheerioAPI } from 'cheerio';
import type { DomainOptions } from '../domain/parse-domain.ts';
import { BodyError } from '../http/body-error.ts';
import type { SourceAnswer } from '../http/source-http.ts';
import { readItem } from './read-item.ts';
import { type Reading, startReading } from './reading.ts';
import type { SourceContext, SourceEnd, SourceItem } from './source.ts';
import { SourceError } from './source-error.ts';
import { tagDepth } from './tag-depth.ts';
import type { WebLimits } from './web-source-settings.ts';

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

/** No page that people read comes near it, even with a tag left open in each line. */
const DEEPEST = 10_000;

const USUAL_CURE = 'see whether the page still stands there, and switch the source off ("enabled": false) if not';

/**
 * Reads the elements that name servers off one page after another. What was read when it breaks is kept.
 * @throws {SourceError} when nothing of it can be read, or a selector is none
 */
export async function* readPages(options: ReadPagesOptions): AsyncGenerator<SourceItem, SourceEnd> {
  const { settings, subject, domains, context } = options;
  const { selector, attribute, next: nextSelector } = settings;
  const reading = startReading(subject, context, settings);
  let line = 0;
  const stop = (problem: string, cure: string | null, retryAfterMs: number | null = null): SourceEnd => {
    context.signal.throwIfAborted();
    if (line > 0) return reading.end('partial', problem);
    throw new SourceError(subject, problem, cure ?? USUAL_CURE, { kind: 'failure', retryAfterMs });
  };
  try {
    const read = new Set<string>();
    let url: URL | null = new URL(settings.url);
    for (let pages = 1; url !== null; pages += 1) {
      if (read.has(url.href)) return reading.end('partial', `page ${pages} is one that was read before`);
      read.add(url.href);
      if (pages > settings.maxPages) return reading.end('partial', `it has more than ${settings.maxPages} pages`);
      if (pages > 1) await reading.pause();
      const conditions = nextSelector === undefined ? context.previous : null;
      const answer = await reading.fetch(url, { accept: 'text/html, application/xhtml+xml', conditions });
      if (answer.kind === 'none') return stop(answer.problem, answer.cure, answer.retryAfterMs);
      if (nextSelector === undefined) reading.keepValidators(answer.status === 304 ? context.previous : answer);
      if (answer.status === 304) return reading.end('unchanged');
      const html = await wholeText(answer, reading);
      if (html instanceof BodyError) return stop(`breaks off: ${html.message}`, null);

      if (tagDepth(html) > DEEPEST) return stop(`nests its tags over ${DEEPEST} deep`, null);
      const page = await parse(html);
      const base = answer.url;
      const written = select(page, selector, attribute, subject);
      for (const text of written) {
        line += 1;
        const outside = attribute === 'href' ? outsideLink(text, base) : text;
        yield outside === null ? { kind: 'blank', line } : readItem(line, outside, domains);
      }
      if (written.length === 0 && pages === 1)
        return stop(`has nothing that "${selector}" selects`, 'correct its "selector" in "sources" of the settings');
      const following = nextSelector === undefined ? undefined : select(page, nextSelector, 'href', subject)[0];
      url = following === undefined ? null : onSameHost(following, base);
    }
    return reading.end('complete');
  } finally {
    reading[Symbol.dispose]();
  }
}

async function wholeText(answer: SourceAnswer, reading: Reading): Promise<string | BodyError> {
  const chunks: Uint8Array[] = [];
  try {
    for await (const chunk of reading.counted(answer.body)) chunks.push(chunk);
  } catch (error) {
    if (error instanceof BodyError) return error;
    throw error;
  }
  return new TextDecoder().decode(Buffer.concat(chunks));
}

/**
 * Loaded when a page is read, and not with the settings. The lean parser: the full one takes minutes for a page that nests deep. All is put
 * into one element, as a selector takes time with the square of how many stand at the top; a page cannot close it, whose name is made of
 * the page.
 */
async function parse(html: string): Promise<CheerioAPI> {
  const { load } = await import('cheerio/slim');
  const whole = `page-${createHash('sha256').update(html).digest('hex')}`;
  return load(`<${whole}>${html}</${whole}>`);
}

function select(page: CheerioAPI, selector: string, attribute: string | null, subject: string): string[] {
  try {
    return page(selector)
      .toArray()
      .map((element) => (attribute === null ? page(element).text() : (page(element).attr(attribute) ?? '')));
  } catch (cause) {
    throw new SourceError(subject, `has a selector that is none: "${selector}"`, 'correct it in the settings', {
      cause,
    });
  }
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
