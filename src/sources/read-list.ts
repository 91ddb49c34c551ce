import { createHash } from 'node:crypto';
import type { SourceAnswer } from '../http/source-http.ts';
import { BodyError } from '../http/stream-body.ts';
import type { DomainOptions } from '../model/domain/parse-domain.ts';
import { JsonError } from './formats/json-grammar.ts';
import { badRecord, displayValue, readItem } from './formats/read-item.ts';
import { type JsonFindings, type JsonPath, selectJson } from './formats/select-json.ts';
import { toUtf8 } from './formats/utf8.ts';
import type { WebLimits } from './kinds/source-settings.ts';
import { nextInLinkHeader, nextPageAt } from './next-page.ts';
import type { Source, SourceContext, SourceEnd, SourceItem } from './source.ts';
import { challengeIn, type Fault, type Fetched, PageInsteadError, refusePage, WebRun } from './web-run.ts';

/** The fields of a list entry. A host that is not a string is refused as a bad record; software that is not a string is unknown. */
interface ListEntry {
  readonly host: unknown;
  readonly software?: unknown;
}

/** The result of reading a page. */
interface PageSummary {
  /** The URL of the page after redirects. */
  readonly url: URL;
  readonly entries: number;
  /** The values at {@link ListPage.values}, in the same order. */
  readonly values: readonly unknown[];
}

/** One request for a list or a part of it. */
export interface ListPage {
  readonly url: URL;
  /** Sent with POST; without it, the request is a GET. */
  readonly json?: unknown;
  readonly entries: JsonPath;
  /** Paths of single values outside the entries, for `next`. */
  readonly values?: readonly JsonPath[];
  readonly read: (entry: unknown) => ListEntry;
  /** The next page; null after the last; a text says why it cannot be read. */
  readonly next?: (page: PageSummary) => ListPage | string | null;
  /** Whether we count the pages: after the first, one that does not exist (404) is the end of the list. */
  readonly isCounted?: boolean;
  /** Requested instead when this page does not exist (404). */
  readonly fallback?: ListPage;
  /** Path of the error message in a document without the list. */
  readonly errorPath?: JsonPath;
}

/** How one kind of source requests and reads its list. */
export interface ListPlan {
  readonly first: ListPage;
  /** Added to the key of the source when the URL alone does not identify the list. */
  readonly detail?: string | undefined;
  /** The problem and cure for a status; null for the default message. */
  readonly describeStatus?: (status: number) => { problem: string; cure: string } | null;
  /** What to do when the server admits no programs; without it, a default. */
  readonly accessCure?: string;
}

interface ListSettings extends WebLimits {
  readonly type: string;
  readonly id?: string | undefined;
  readonly url: string;
}

export function createListSource(settings: ListSettings, plan: ListPlan, domains: DomainOptions): Source {
  const { type, id } = settings;
  const { href, host } = new URL(settings.url);
  const label = [href.replace(/\/$/, ''), plan.detail].filter(Boolean).join(' ');
  const subject = `The source ${type} ${label}`;
  return {
    type,
    key: id ?? `${type} ${label}`,
    label,
    host,
    read: (context) => readList(subject, plan, settings, domains, context),
  };
}

export const LIST_CURE = 'check that it still publishes this list, or switch it off ("enabled": false)';

/**
 * Streams a JSON list, page after page. If it fails midway, the items already yielded remain valid.
 *
 * @throws {SourceError} when nothing can be read.
 */
async function* readList(
  subject: string,
  plan: ListPlan,
  limits: WebLimits,
  domains: DomainOptions,
  context: SourceContext,
): AsyncGenerator<SourceItem, SourceEnd> {
  using run = new WebRun({ subject, context, limits, cure: LIST_CURE, accessCure: plan.accessCure });
  const count = { lines: 0 };
  const requested = new Set<string>();
  let previousFingerprint = '';
  let isPageAnnounced = false;
  for (let page: ListPage | null = plan.first, pages = 1; page !== null; pages += 1) {
    const requestKey = JSON.stringify([page.url, page.json ?? null]);
    if (requested.has(requestKey)) return run.end('partial', `page ${pages - 1} links to a page that was already read`);
    requested.add(requestKey);
    if (pages > limits.maxPages) return run.end('partial', `it has more than ${limits.maxPages} pages`);
    if (pages > 1) await run.pause();
    // A 304 can replace only a list on a single page; with POST, a condition has another meaning (RFC 9110 section 13.1.2).
    const isConditional = pages === 1 && page.json === undefined;
    const conditions = isConditional ? context.previous : null;
    let answer = await run.fetch(page.url, { accept: 'application/json', json: page.json, conditions });
    if (isMissing(answer) && page.fallback !== undefined) {
      page = page.fallback;
      answer = await run.fetch(page.url, { accept: 'application/json', json: page.json, conditions });
    }
    if (isMissing(answer) && page.isCounted === true && pages > 1 && !isPageAnnounced) return run.end('complete');
    if (answer.kind === 'none') return run.stop(describeStatus(answer, plan), count.lines);
    if (isConditional) run.setValidators(answer.status === 304 ? context.previous : answer);
    if (answer.status === 304) return run.end('unchanged');

    const result: PageResult = yield* readPage(page, answer, run, count, domains);
    if (result.fault !== null) return run.stop(result.fault, count.lines);
    if (result.entries > 0 && result.fingerprint === previousFingerprint)
      return run.end('partial', `page ${pages} repeats the page before it`);
    previousFingerprint = result.fingerprint;
    const link = nextInLinkHeader(answer.headers.link);
    isPageAnnounced = link !== null || result.nextPage !== null;
    const next: ListPage | string | null = page.next?.(result) ?? followingPage(page, link, result);
    if (typeof next === 'string') return run.end('partial', next);
    page = next;
    // The validators belong to the first page alone.
    if (page !== null) run.setValidators(null);
  }
  return run.end('complete');
}

function isMissing(answer: Fetched): boolean {
  return answer.kind === 'none' && answer.status === 404;
}

/** The page that the server announces in a way that the plan does not know, or why it is not read. */
function followingPage(page: ListPage, link: string | null, { url, nextPage }: PageResult): ListPage | string | null {
  if (link !== null && page.json === undefined) {
    const next = nextPageAt(link, url);
    return typeof next === 'string' ? next : { ...page, url: next };
  }
  return nextPage === null
    ? null
    : `it announces another page at "${displayValue(nextPage)}", which "next" in the settings does not name`;
}

interface PageResult extends PageSummary {
  /** The dotted path of the value that announces another page; null without one. */
  nextPage: string | null;
  fingerprint: string;
  fault: Fault | null;
}

async function* readPage(
  page: ListPage,
  answer: SourceAnswer,
  run: WebRun,
  count: { lines: number },
  domains: DomainOptions,
): AsyncGenerator<SourceItem, PageResult> {
  const { values = [], errorPath } = page;
  const findings: JsonFindings = { values: [], nextPage: null, hasList: false, rootDescription: 'nothing' };
  const selection = { entries: page.entries, values: errorPath === undefined ? values : [...values, errorPath] };
  const fingerprint = createPageFingerprint();
  let entries = 0;
  let fault: Fault | null = null;
  try {
    const json = refusePage(toUtf8(run.countBytes(answer.body)));
    for await (const entry of selectJson(json, selection, findings)) {
      const { host, software } = page.read(entry);
      entries += 1;
      count.lines += 1;
      fingerprint.add(host);
      yield typeof host === 'string'
        ? readItem(count.lines, host, domains, software)
        : badRecord(count.lines, displayValue(entry), 'no host at the expected place');
    }
    if (!findings.hasList) fault = { problem: describeMissingList(page, findings), cure: null };
  } catch (error) {
    fault = await faultOf(error, answer, 'JSON');
  }
  const { nextPage, values: found } = findings;
  return { url: answer.url, entries, values: found, nextPage, fingerprint: fingerprint.digest(), fault };
}

/** The fault of a body that cannot be read as a list. @throws other errors. */
export async function faultOf(error: unknown, answer: SourceAnswer, format: 'JSON' | 'CSV'): Promise<Fault> {
  if (error instanceof BodyError || error instanceof JsonError)
    return { problem: `ends early: ${error.message}`, cure: null };
  if (!(error instanceof PageInsteadError)) throw error;
  const challenge = await challengeIn(answer, error.body);
  if (challenge !== null) return { problem: challenge, cure: null, isDenied: true };
  return { problem: `answers with a page of HTML, not with ${format}`, cure: null };
}

function describeStatus(fault: Fault & { status: number | null }, plan: ListPlan): Fault {
  const description = fault.status === null ? null : plan.describeStatus?.(fault.status);
  return description == null ? fault : { ...fault, ...description };
}

function describeMissingList(
  { entries, errorPath, values = [] }: ListPage,
  { rootDescription, values: found }: JsonFindings,
): string {
  // The error message was selected after the values.
  const error = errorPath === undefined ? undefined : found[values.length];
  if (typeof error === 'string') return `answers with an error: ${displayValue(error)}`;
  const place = entries.slice(0, -1).join('.');
  return `answers with ${displayValue(rootDescription)} and without a list${place === '' ? '' : ` at "${place}"`}`;
}

/** Detects a server that ignores the page parameter and returns the same page forever. */
function createPageFingerprint() {
  const hash = createHash('sha256');
  return {
    add: (host: unknown) => void hash.update(typeof host === 'string' ? `${host.slice(0, 300)}\n` : '\0'),
    digest: () => hash.digest('base64'),
  };
}
