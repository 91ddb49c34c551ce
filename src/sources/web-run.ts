import type { SourceAnswer, SourceHttp, SourceRequest, Validators } from '../http/source-http.ts';
import { BodyError } from '../http/stream-body.ts';
import { MINUTE_MS } from '../model/time.ts';
import type { WebLimits } from './kinds/source-settings.ts';
import { type SourceContext, type SourceEnd, SourceError } from './source.ts';

/** Why a page is unusable or incomplete. */
export interface Fault {
  readonly problem: string;
  /** Null for the default. */
  readonly cure: string | null;
  /** Whether the server refuses access. */
  readonly isDenied?: boolean;
  readonly retryAfterMs?: number | null;
}

/** A usable answer (status 2xx or 304), or why there is none. `status` of `none` is that of the unusable answer; null without any answer. */
export type Fetched = SourceAnswer | ({ kind: 'none'; status: number | null } & Fault);

interface WebRunOptions {
  /** The subject of every message: `The source page https://x.example`. */
  subject: string;
  context: SourceContext;
  limits: WebLimits;
  /** What to do about a fault without a cure of its own. */
  cure: string;
  /** What to do when the server refuses access. */
  accessCure?: string | undefined;
}

const MAX_TRIES = 3;
const MAX_WAIT_MS = 120_000;
/** The wait after a 429 without Retry-After. */
const DEFAULT_WAIT_MS = 20_000;
const ACCESS_CURE =
  'ask its owner to admit the User-Agent of this crawler, or switch the source off ("enabled": false)';

/** One run of a source on the web: its client, its limits and its totals. */
export class WebRun implements Disposable {
  readonly #options: WebRunOptions;
  readonly #client: ReturnType<SourceHttp['open']>;
  #bytes = 0;
  /** For the next run. */
  #validators: Validators = { etag: null, lastModified: null };

  /** @throws {SourceError} when the context has no HTTP client. */
  constructor(options: WebRunOptions) {
    const { subject, context, limits } = options;
    if (context.http === null)
      throw new SourceError(
        subject,
        'is on the web, and this command reads local sources only',
        'read it with the service or a crawl',
      );
    this.#options = options;
    this.#client = context.http.open({ withinMs: limits.maxMinutes * MINUTE_MS, signal: context.signal });
  }

  [Symbol.dispose](): void {
    this.#client.close();
  }

  /** Retries a few times when the server asks for a short wait. */
  async fetch(url: URL, request: Omit<SourceRequest, 'maxBytes'>): Promise<Fetched> {
    const maxBytes = Math.max(0, this.#options.limits.maxBytes - this.#bytes);
    for (let tries = 1; ; tries += 1) {
      const answer = await this.#client.request(url, { ...request, maxBytes });
      const { retryAfterMs } = answer;
      if (answer.kind === 'failure')
        return { kind: 'none', status: null, problem: `cannot be read: ${answer.why}`, cure: null, retryAfterMs };
      const { status } = answer;
      if ((status >= 200 && status < 300) || (status === 304 && request.conditions != null)) return answer;
      const denial = await denialOf(answer);
      if (denial !== null) return { kind: 'none', status, problem: denial, cure: null, isDenied: true, retryAfterMs };
      const waitMs = retryAfterMs ?? DEFAULT_WAIT_MS;
      const isBusy = status === 429 || (status === 503 && retryAfterMs !== null);
      if (!isBusy || tries === MAX_TRIES || waitMs > Math.min(MAX_WAIT_MS, this.leftMs()))
        return { kind: 'none', status, problem: `answers with status ${status}`, cure: null, retryAfterMs };
      await this.#client.wait(waitMs);
    }
  }

  /** Passes a body through and adds its bytes to the total. */
  async *countBytes(body: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
    for await (const chunk of body) {
      this.#bytes += chunk.length;
      yield chunk;
    }
  }

  /** Time left for the run. */
  leftMs(): number {
    return this.#client.leftMs();
  }

  async pause(): Promise<void> {
    await this.#client.wait(this.#options.limits.pauseSeconds * 1_000);
  }

  setValidators(next: Validators | null): void {
    this.#validators = { etag: next?.etag ?? null, lastModified: next?.lastModified ?? null };
  }

  /** The end of a run that a fault cut short after `lines` items. @throws {SourceError} when there are none. */
  stop({ problem, cure: ownCure, isDenied = false, retryAfterMs = null }: Fault, lines: number): SourceEnd {
    const { subject, context, cure, accessCure = ACCESS_CURE } = this.#options;
    context.signal.throwIfAborted();
    const whatToDo = ownCure ?? (isDenied ? accessCure : cure);
    if (lines > 0) return this.end('partial', isDenied ? `${problem}; ${whatToDo}` : problem, retryAfterMs);
    throw new SourceError(subject, problem, whatToDo, { kind: 'failure', isDenied, retryAfterMs });
  }

  end(outcome: SourceEnd['outcome'], why: string | null = null, retryAfterMs: number | null = null): SourceEnd {
    const validators = outcome === 'partial' ? { etag: null, lastModified: null } : this.#validators;
    const retryAfter = retryAfterMs === null ? {} : { retryAfterMs };
    return { outcome, why, ...validators, requests: this.#client.requests(), bytes: this.#bytes, ...retryAfter };
  }
}

/** Enough to recognise a challenge page. */
const PAGE_START_BYTES = 16_384;

/** How the server refuses access with an unusable answer; null when it does not. */
async function denialOf(answer: SourceAnswer): Promise<string | null> {
  const start = await readStart(answer.body);
  const challenge = await challengeIn(answer, start);
  if (challenge !== null) return challenge;
  if (answer.status === 401) return 'requires a sign-in or a key (status 401)';
  return answer.status === 403 ? 'refuses access (status 403)' : null;
}

/** Describes the challenge page that an answer is; null for anything else. */
export async function challengeIn({ status, headers }: SourceAnswer, body: Uint8Array): Promise<string | null> {
  // Loads an HTML parser.
  const { classifyPage } = await import('../http/page-class.ts');
  const page = classifyPage({ status, headers, body });
  if (page?.class !== 'challenge-page') return null;
  return `answers with a challenge page${page.by === null ? '' : ` (${page.by})`}, which only browsers pass`;
}

async function readStart(body: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const chunk of body) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes >= PAGE_START_BYTES) break;
    }
  } catch (error) {
    if (!(error instanceof BodyError)) throw error;
  }
  return Buffer.concat(chunks);
}

/** A body that is a page instead of a list. */
export class PageInsteadError extends Error {
  override readonly name = 'PageInsteadError';
  /** The start of the page. */
  readonly body: Uint8Array;

  constructor(body: Uint8Array) {
    super('a page instead of a list');
    this.body = body;
  }
}

const LESS_THAN = 0x3c;

/** Passes a list through. @throws {PageInsteadError} when its first character is `<`. */
export async function* refusePage(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let isList = false;
  const page: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of chunks) {
    if (!isList && page.length === 0) {
      const first = chunk.find((byte) => byte !== 0x20 && (byte < 0x09 || byte > 0x0d));
      isList = first !== undefined && first !== LESS_THAN;
      if (first === LESS_THAN) page.push(chunk);
    } else if (!isList) page.push(chunk);
    if (page.length === 0) {
      yield chunk;
      continue;
    }
    bytes += chunk.length;
    if (bytes >= PAGE_START_BYTES) break;
  }
  if (page.length > 0) throw new PageInsteadError(Buffer.concat(page));
}
