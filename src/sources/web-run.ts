import type { Conditions, SourceAnswer, SourceRequest } from '../http/source-http.ts';
import type { WebLimits } from './kinds/source-settings.ts';
import type { SourceContext, SourceEnd } from './source.ts';
import { SourceError } from './source-error.ts';

/** An answer of status 2xx or 304; or why there is none, in two phrases, with the status of any other answer. */
export type Fetched =
  | SourceAnswer
  | { kind: 'none'; status: number | null; problem: string; cure: string | null; retryAfterMs: number | null };

/** One reading of a list on the web: its client, its limits, its account. */
export interface WebRun extends Disposable {
  /** Asks again, a few times, where the server asks for a short while. */
  fetch(url: URL, asked: Omit<SourceRequest, 'maxBytes'>): Promise<Fetched>;
  /** A body, counted. */
  counted(body: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array>;
  pause(): Promise<void>;
  /** How much of its time is left, in milliseconds. */
  leftMs(): number;
  end(outcome: SourceEnd['outcome'], why?: string, retryAfterMs?: number | null): SourceEnd;
  /** Taken down for the next run. */
  keepValidators(of: Conditions | null): void;
}

const MOST_TRIES = 3;
const LONGEST_WAIT_MS = 120_000;
/** A server that wants to be left alone and does not say for how long. */
const USUAL_WAIT_MS = 20_000;

/** @throws {SourceError} when nobody may be asked */
export function startWebRun(subject: string, { http, signal }: SourceContext, limits: WebLimits): WebRun {
  if (http === null)
    throw new SourceError(subject, 'is on the web, which is not asked now', 'read it with the service or a crawl');
  const client = http.open({ withinMs: limits.maxMinutes * 60_000, signal });
  let bytes = 0;
  let validators: Conditions = { etag: null, lastModified: null };

  return {
    async fetch(url, asked) {
      const maxBytes = Math.max(0, limits.maxBytes - bytes);
      for (let tries = 1; ; tries += 1) {
        const answer = await client.request(url, { ...asked, maxBytes });
        const { retryAfterMs } = answer;
        if (answer.kind === 'failure')
          return { kind: 'none', status: null, problem: `cannot be read: ${answer.why}`, cure: null, retryAfterMs };
        const { status } = answer;
        if ((status >= 200 && status < 300) || (status === 304 && asked.conditions != null)) return answer;
        const waitMs = retryAfterMs ?? USUAL_WAIT_MS;
        const isBusy = status === 429 || (status === 503 && retryAfterMs !== null);
        if (!isBusy || tries === MOST_TRIES || waitMs > Math.min(LONGEST_WAIT_MS, client.leftMs()))
          return { kind: 'none', status, problem: `answers with status ${status}`, cure: null, retryAfterMs };
        await client.rest(waitMs);
      }
    },
    async *counted(body) {
      for await (const chunk of body) {
        bytes += chunk.length;
        yield chunk;
      }
    },
    leftMs: () => client.leftMs(),
    pause: () => client.rest(limits.pauseSeconds * 1_000),
    keepValidators(of) {
      validators = { etag: of?.etag ?? null, lastModified: of?.lastModified ?? null };
    },
    end: (outcome, why, retryAfterMs = null) => {
      const kept = outcome === 'partial' ? { etag: null, lastModified: null } : validators;
      const told = retryAfterMs === null ? {} : { retryAfterMs };
      return { outcome, why: why ?? null, ...kept, requests: client.requests(), bytes, ...told };
    },
    [Symbol.dispose]: () => client.close(),
  };
}
