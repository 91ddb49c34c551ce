import type { SourceAnswer, SourceRequest, Validators } from '../http/source-http.ts';
import type { WebLimits } from './kinds/source-settings.ts';
import type { SourceContext, SourceEnd } from './source.ts';
import { SourceError } from './source-error.ts';

/** A usable answer (status 2xx or 304), or why there is none. `status` of `none` is that of the unusable answer; null without any answer. */
export type Fetched =
  | SourceAnswer
  | { kind: 'none'; status: number | null; problem: string; cure: string | null; retryAfterMs: number | null };

/** One run of a source on the web: its client, its limits and its totals. */
export interface WebRun extends Disposable {
  /** Retries a few times when the server asks for a short wait. */
  fetch(url: URL, request: Omit<SourceRequest, 'maxBytes'>): Promise<Fetched>;
  /** Passes a body through and adds its bytes to the total. */
  countBytes(body: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array>;
  pause(): Promise<void>;
  /** Time left for the run, in milliseconds. */
  leftMs(): number;
  end(outcome: SourceEnd['outcome'], why?: string, retryAfterMs?: number | null): SourceEnd;
  /** Sets the validators for the next run. */
  setValidators(validators: Validators | null): void;
}

const MAX_TRIES = 3;
const MAX_WAIT_MS = 120_000;
/** The wait after a 429 without Retry-After. */
const DEFAULT_WAIT_MS = 20_000;

/** @throws {SourceError} when the context has no HTTP client. */
export function startWebRun(subject: string, { http, signal }: SourceContext, limits: WebLimits): WebRun {
  if (http === null)
    throw new SourceError(
      subject,
      'is on the web, and this command reads local sources only',
      'read it with the service or a crawl',
    );
  const client = http.open({ withinMs: limits.maxMinutes * 60_000, signal });
  let bytes = 0;
  let validators: Validators = { etag: null, lastModified: null };

  return {
    async fetch(url, request) {
      const maxBytes = Math.max(0, limits.maxBytes - bytes);
      for (let tries = 1; ; tries += 1) {
        const answer = await client.request(url, { ...request, maxBytes });
        const { retryAfterMs } = answer;
        if (answer.kind === 'failure')
          return { kind: 'none', status: null, problem: `cannot be read: ${answer.why}`, cure: null, retryAfterMs };
        const { status } = answer;
        if ((status >= 200 && status < 300) || (status === 304 && request.conditions != null)) return answer;
        const waitMs = retryAfterMs ?? DEFAULT_WAIT_MS;
        const isBusy = status === 429 || (status === 503 && retryAfterMs !== null);
        if (!isBusy || tries === MAX_TRIES || waitMs > Math.min(MAX_WAIT_MS, client.leftMs()))
          return { kind: 'none', status, problem: `answers with status ${status}`, cure: null, retryAfterMs };
        await client.wait(waitMs);
      }
    },
    async *countBytes(body) {
      for await (const chunk of body) {
        bytes += chunk.length;
        yield chunk;
      }
    },
    leftMs: () => client.leftMs(),
    pause: () => client.wait(limits.pauseSeconds * 1_000),
    setValidators(next) {
      validators = { etag: next?.etag ?? null, lastModified: next?.lastModified ?? null };
    },
    end: (outcome, why, retryAfterMs = null) => {
      const next = outcome === 'partial' ? { etag: null, lastModified: null } : validators;
      const retryAfter = retryAfterMs === null ? {} : { retryAfterMs };
      return { outcome, why: why ?? null, ...next, requests: client.requests(), bytes, ...retryAfter };
    },
    [Symbol.dispose]: () => client.close(),
  };
}
