import { isUtf8 } from 'node:buffer';
import { type ClientRequest, Agent as HttpAgent, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { setTimeout as wait } from 'node:timers/promises';
import { failureOf, type HttpFailure } from '../../http/failure.ts';
import { openRequest } from '../../http/open-request.ts';
import { readBody } from '../../http/read-body.ts';
import type { Answer, ProbeExchange, SentRequest } from '../exchange.ts';
import type { ProbeId } from './probe-ids.ts';

export interface SenderOptions {
  userAgent: string;
  /** Maximum number of requests in any 60 seconds; null: no limit. */
  perMinute: number | null;
  /** Maximum duration of one request, from its start to the end of the body. */
  timeoutMs: number;
  signal: AbortSignal;
  /** Called before the run waits for the rate. */
  onWait: OnWait;
}

/** Called before a pause between two requests. */
export type OnWait = (ms: number, reason: 'rate' | 'retry-after') => void;

/**
 * Sends one request. Follows no redirect and never rejects because of the server. After `signal` aborts, a running request may finish,
 * requests of the probe `revoke-rest` are still sent, and all others reject with the reason of the signal. Everything ends within `LAST_MS`.
 */
export type Send = (probe: ProbeId, request: SentRequest) => Promise<ProbeExchange>;

const MAX_BODY_BYTES = 1_048_576;
const MINUTE_MS = 60_000;
/** After an abort, the time for the running request and the revocation of the tokens. */
const LAST_MS = 4_000;

export function createSender(options: SenderOptions): { send: Send; close: () => void } {
  const { userAgent, perMinute, timeoutMs, signal, onWait } = options;
  const agents = { http: new HttpAgent({ keepAlive: true }), https: new HttpsAgent({ keepAlive: true }) };
  const waitForTurn = createPace(perMinute, signal, onWait);
  let deadline = Number.POSITIVE_INFINITY;
  signal.addEventListener('abort', () => {
    deadline = performance.now() + LAST_MS;
  });

  async function send(probe: ProbeId, request: SentRequest): Promise<ProbeExchange> {
    await waitForTurn();
    if (probe !== 'revoke-rest' || performance.now() >= deadline) signal.throwIfAborted();
    const { method, url, headers, body } = request;
    const startedAt = new Date();
    const target = new URL(url);
    const agent = target.protocol === 'https:' ? agents.https : agents.http;
    let sent: ClientRequest;
    try {
      sent = openRequest(target, userAgent, { method, agent, headers });
    } catch (error) {
      // A server may issue a token that a header cannot contain.
      const failure = failureIn(error as Error);
      return { probe, request, startedAt: startedAt.toISOString(), ms: 0, answer: null, failure };
    }
    const read = readBody(sent, { maxBytes: MAX_BODY_BYTES, truncates: false });
    sent.end(body ?? undefined);
    let timeout: HttpFailure | null = null;
    const stop = () => {
      timeout = read.hasAnswer() ? 'body-timeout' : 'response-timeout';
      read.end(timeout);
    };
    const timer = setTimeout(stop, Math.min(timeoutMs, deadline - performance.now()));
    // The running request gets half of the time; the other half is for the revocation.
    const onAbort = () => void setTimeout(stop, LAST_MS / 2).unref();
    signal.addEventListener('abort', onAbort);
    const { response, body: received, error } = await read.done;
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
    const failure = timeout ?? failureIn(error);
    const answer = response === undefined || failure !== null ? null : answerOf(response, received);
    return {
      probe,
      request,
      startedAt: startedAt.toISOString(),
      ms: Date.now() - startedAt.getTime(),
      answer,
      failure,
    };
  }

  return {
    send,
    close: () => {
      agents.http.destroy();
      agents.https.destroy();
    },
  };
}

function failureIn(error: Error | HttpFailure | null): HttpFailure | null {
  if (error === null || typeof error === 'string') return error;
  return failureOf(error) ?? dnsFailure(error) ?? 'invalid-http';
}

/** The system resolves names here, so that the hosts file and a local name server apply. */
function dnsFailure(error: Error): HttpFailure | null {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ENOTFOUND') return 'dns-nxdomain';
  return code === 'EAI_AGAIN' ? 'dns-servfail' : null;
}

function answerOf(response: IncomingMessage, body: Uint8Array): Answer {
  const { rawHeaders } = response;
  const headers = rawHeaders.flatMap((name, index) =>
    index % 2 === 0 ? [[name.toLowerCase(), rawHeaders[index + 1] ?? ''] as const] : [],
  );
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(body);
  return { status: response.statusCode ?? 0, headers, text, isUtf8: isUtf8(body) };
}

/** Returns a function that waits until a request may start, or the signal aborts. */
function createPace(perMinute: number | null, signal: AbortSignal, onWait: OnWait): () => Promise<void> {
  const starts: number[] = [];
  return async () => {
    if (perMinute === null || signal.aborted) return;
    const oldest = starts.at(-perMinute);
    if (oldest !== undefined) {
      const pause = oldest + MINUTE_MS - performance.now();
      if (pause > 0) {
        onWait(pause, 'rate');
        await wait(pause, undefined, { signal }).catch(() => undefined);
      }
    }
    starts.push(performance.now());
  };
}
