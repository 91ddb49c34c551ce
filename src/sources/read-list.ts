import { createHash } from 'node:crypto';
import type { SourceAnswer } from '../http/source-http.ts';
import { BodyError } from '../http/stream-body.ts';
import type { DomainOptions } from '../model/domain/parse-domain.ts';
import { JsonError } from './formats/json-grammar.ts';
import type { ListPage, ListPlan } from './formats/list-page.ts';
import { badRecord, outlined, readItem } from './formats/read-item.ts';
import { type JsonFindings, selectJson } from './formats/select-json.ts';
import type { WebLimits } from './kinds/source-settings.ts';
import type { SourceContext, SourceEnd, SourceItem } from './source.ts';
import { SourceError } from './source-error.ts';
import { type Fetched, startWebRun, type WebRun } from './web-run.ts';

interface ReadListOptions {
  /** `The source mastodon-peers https://x.example`, which begins every message. */
  subject: string;
  plan: ListPlan;
  limits: WebLimits;
  domains: DomainOptions;
  context: SourceContext;
}

/** A page that cannot be used, or breaks off. */
interface Fault {
  problem: string;
  cure: string | null;
  retryAfterMs: number | null;
}

const USUAL_CURE = 'see whether it still gives this list, and switch it off ("enabled": false) if not';

/**
 * Reads a list in JSON, page after page, as it comes. What was read when it breaks is kept.
 * @throws {SourceError} when nothing of it can be read
 */
export async function* readList(options: ReadListOptions): AsyncGenerator<SourceItem, SourceEnd> {
  const { subject, plan, limits, context } = options;
  const run = startWebRun(subject, context, limits);
  const seen = { lines: 0 };
  const stop = ({ problem, cure, retryAfterMs }: Fault): SourceEnd => {
    context.signal.throwIfAborted();
    if (seen.lines > 0) return run.end('partial', problem, retryAfterMs);
    throw new SourceError(subject, problem, cure ?? USUAL_CURE, { kind: 'failure', retryAfterMs });
  };
  try {
    const read = new Set<string>();
    let before = '';
    for (let page: ListPage | null = plan.first, pages = 1; page !== null; pages += 1) {
      const asked = JSON.stringify([page.url, page.json ?? null]);
      if (read.has(asked)) return run.end('partial', `page ${pages} is one that was read before`);
      read.add(asked);
      if (pages > limits.maxPages) return run.end('partial', `it has more than ${limits.maxPages} pages`);
      if (pages > 1) await run.pause();
      const { url, json } = page;
      // Of a list in one piece; and to what is posted, a condition means something else (RFC 9110 section 13.1.2).
      const isConditional = page.next === undefined && json === undefined;
      const conditions = isConditional ? context.previous : null;
      const answer = await run.fetch(url, { accept: 'application/json', json, conditions });
      const fault = faultOf(answer, plan);
      if (fault !== null || answer.kind !== 'answer') return stop(fault ?? usualFault('gives no answer'));
      if (isConditional) run.keepValidators(answer.status === 304 ? context.previous : answer);
      if (answer.status === 304) return run.end('unchanged');

      const result: PageResult = yield* readPage(page, answer, run, seen, options.domains);
      if (result.fault !== null) return stop(result.fault);
      if (result.entries > 0 && result.fingerprint === before)
        return run.end('partial', `page ${pages} is the page before it again`);
      before = result.fingerprint;
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
  seen: { lines: number },
  domains: DomainOptions,
): AsyncGenerator<SourceItem, PageResult> {
  const { values = [], complaint } = page;
  const findings: JsonFindings = { values: [], hasList: false, outline: 'nothing' };
  const selection = { entries: page.entries, values: complaint === undefined ? values : [...values, complaint] };
  const fingerprint = createPageFingerprint();
  let entries = 0;
  let fault: Fault | null = null;
  try {
    for await (const entry of selectJson(run.counted(answer.body), selection, findings)) {
      const { host, software } = page.read(entry);
      entries += 1;
      seen.lines += 1;
      fingerprint.add(host);
      yield typeof host === 'string'
        ? readItem(seen.lines, host, domains, software)
        : badRecord(seen.lines, outlined(entry), 'no host where the source has its hosts');
    }
    if (!findings.hasList) fault = usualFault(missing(page, findings));
  } catch (error) {
    if (!(error instanceof BodyError || error instanceof JsonError)) throw error;
    fault = usualFault(`breaks off: ${error.message}`);
  }
  return { entries, values: findings.values, fingerprint: fingerprint.digest(), fault };
}

function faultOf(answer: Fetched, { statusWords }: ListPlan): Fault | null {
  if (answer.kind === 'none') {
    const words = answer.status === null ? null : statusWords?.(answer.status);
    return words == null ? answer : { ...words, retryAfterMs: answer.retryAfterMs };
  }
  const isPage = answer.status !== 304 && /^(?:text\/html|application\/xhtml\+xml)$/.test(answer.mediaType ?? '');
  return isPage ? usualFault('answers with a page of HTML, not with JSON') : null;
}

function usualFault(problem: string): Fault {
  return { problem, cure: null, retryAfterMs: null };
}

function missing({ entries, complaint, values = [] }: ListPage, { outline, values: found }: JsonFindings): string {
  const said = complaint === undefined ? undefined : found[values.length];
  if (typeof said === 'string') return `answers with an error: ${outlined(said)}`;
  const place = entries.slice(0, -1).join('.');
  return `gives ${outlined(outline)}, and no list${place === '' ? '' : ` at "${place}"`}`;
}

/** What a page held, in a few bytes: a server that takes no notice of the page it is asked for gives the same for ever. */
function createPageFingerprint() {
  const hash = createHash('sha256');
  return {
    add: (host: unknown) => void hash.update(typeof host === 'string' ? `${host.slice(0, 300)}\n` : '\0'),
    digest: () => hash.digest('base64'),
  };
}
