import { createHash } from 'node:crypto';
import type { SourceAnswer } from '../http/source-http.ts';
import { BodyError } from '../http/stream-body.ts';
import type { DomainOptions } from '../model/domain/parse-domain.ts';
import { JsonError } from './formats/json-grammar.ts';
import type { ListPage, ListPlan } from './formats/list-page.ts';
import { badRecord, displayValue, readItem } from './formats/read-item.ts';
import { type JsonFindings, selectJson } from './formats/select-json.ts';
import type { WebLimits } from './kinds/source-settings.ts';
import type { SourceContext, SourceEnd, SourceItem } from './source.ts';
import { SourceError } from './source-error.ts';
import { type Fetched, startWebRun, type WebRun } from './web-run.ts';

interface ReadListOptions {
  /** The subject of every message: `The source mastodon-peers https://x.example`. */
  subject: string;
  plan: ListPlan;
  limits: WebLimits;
  domains: DomainOptions;
  context: SourceContext;
}

/** Why a page is unusable or incomplete. */
interface Fault {
  problem: string;
  cure: string | null;
  retryAfterMs: number | null;
}

const DEFAULT_CURE = 'check that it still publishes this list, or switch it off ("enabled": false)';

/**
 * Streams a JSON list, page after page. If it fails midway, the items already yielded remain valid.
 *
 * @throws {SourceError} when nothing can be read.
 */
export async function* readList(options: ReadListOptions): AsyncGenerator<SourceItem, SourceEnd> {
  const { subject, plan, limits, context } = options;
  const run = startWebRun(subject, context, limits);
  const count = { lines: 0 };
  const stop = ({ problem, cure, retryAfterMs }: Fault): SourceEnd => {
    context.signal.throwIfAborted();
    if (count.lines > 0) return run.end('partial', problem, retryAfterMs);
    throw new SourceError(subject, problem, cure ?? DEFAULT_CURE, { kind: 'failure', retryAfterMs });
  };
  try {
    const requested = new Set<string>();
    let previousFingerprint = '';
    for (let page: ListPage | null = plan.first, pages = 1; page !== null; pages += 1) {
      const requestKey = JSON.stringify([page.url, page.json ?? null]);
      if (requested.has(requestKey))
        return run.end('partial', `page ${pages - 1} links to a page that was already read`);
      requested.add(requestKey);
      if (pages > limits.maxPages) return run.end('partial', `it has more than ${limits.maxPages} pages`);
      if (pages > 1) await run.pause();
      const { url, json } = page;
      // A 304 can replace only a list on a single page; with POST, a condition has another meaning (RFC 9110 section 13.1.2).
      const isConditional = page.next === undefined && json === undefined;
      const conditions = isConditional ? context.previous : null;
      const answer = await run.fetch(url, { accept: 'application/json', json, conditions });
      const fault = faultOf(answer, plan);
      if (fault !== null || answer.kind !== 'answer') return stop(fault ?? defaultFault('does not answer'));
      if (isConditional) run.setValidators(answer.status === 304 ? context.previous : answer);
      if (answer.status === 304) return run.end('unchanged');

      const result: PageResult = yield* readPage(page, answer, run, count, options.domains);
      if (result.fault !== null) return stop(result.fault);
      if (result.entries > 0 && result.fingerprint === previousFingerprint)
        return run.end('partial', `page ${pages} repeats the page before it`);
      previousFingerprint = result.fingerprint;
      page = page.next?.(result) ?? null;
    }
    return run.end('complete');
  } finally {
    run[Symbol.dispose]();
  }
}

interface PageResult {
  entries: number;
  values: readonly unknown[];
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
  const findings: JsonFindings = { values: [], hasList: false, rootDescription: 'nothing' };
  const selection = { entries: page.entries, values: errorPath === undefined ? values : [...values, errorPath] };
  const fingerprint = createPageFingerprint();
  let entries = 0;
  let fault: Fault | null = null;
  try {
    for await (const entry of selectJson(run.countBytes(answer.body), selection, findings)) {
      const { host, software } = page.read(entry);
      entries += 1;
      count.lines += 1;
      fingerprint.add(host);
      yield typeof host === 'string'
        ? readItem(count.lines, host, domains, software)
        : badRecord(count.lines, displayValue(entry), 'no host at the expected place');
    }
    if (!findings.hasList) fault = defaultFault(describeMissingList(page, findings));
  } catch (error) {
    if (!(error instanceof BodyError || error instanceof JsonError)) throw error;
    fault = defaultFault(`ends early: ${error.message}`);
  }
  return { entries, values: findings.values, fingerprint: fingerprint.digest(), fault };
}

function faultOf(answer: Fetched, { describeStatus }: ListPlan): Fault | null {
  if (answer.kind === 'none') {
    const description = answer.status === null ? null : describeStatus?.(answer.status);
    return description == null ? answer : { ...description, retryAfterMs: answer.retryAfterMs };
  }
  const isPage = answer.status !== 304 && /^(?:text\/html|application\/xhtml\+xml)$/.test(answer.mediaType ?? '');
  return isPage ? defaultFault('answers with a page of HTML, not with JSON') : null;
}

function defaultFault(problem: string): Fault {
  return { problem, cure: null, retryAfterMs: null };
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
