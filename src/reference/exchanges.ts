import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ReferenceState } from './state.ts';

/** A request and its answer. */
export interface Exchange {
  /** When the request arrived, by the clock of the machine, in milliseconds since the epoch. */
  readonly at: number;
  /** When the answer was ready, before it was sent; same clock. */
  readonly answeredAt: number;
  readonly method: string;
  /** Request target as in the request line, with its query. */
  readonly target: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The parsed JSON or form. Null: no body, an invalid one, or an answer before it was read, such as that of a fault. */
  readonly body: unknown;
  readonly status: number;
  /** Headers of the answer, names in lower case, without those that are added while it is sent, such as Content-Length. */
  readonly answerHeaders: Readonly<Record<string, string>>;
  /** The body of the answer; null when it is empty or not a text. */
  readonly answer: string | null;
}

/** Called with each request and its answer before the answer is sent, so that a change of `state` affects the next request. */
export type OnExchange = (exchange: Exchange, state: ReferenceState) => void;

/** Adds the hooks that call `onExchange`, except for requests that a fault leaves without an answer. */
export function addExchangeHooks(
  app: FastifyInstance,
  stateOf: (request: FastifyRequest) => ReferenceState,
  onExchange: OnExchange,
): void {
  const arrivals = new WeakMap<FastifyRequest, number>();
  app.addHook('onRequest', (request, _reply, next) => {
    arrivals.set(request, Date.now());
    next();
  });
  app.addHook('onSend', (request, reply, payload, next) => {
    const answeredAt = Date.now();
    onExchange(
      {
        at: arrivals.get(request) ?? answeredAt,
        answeredAt,
        method: request.method,
        target: request.originalUrl,
        headers: request.headers,
        body: request.body ?? null,
        status: reply.statusCode,
        answerHeaders: headersOf(reply),
        answer: textOf(payload),
      },
      stateOf(request),
    );
    next();
  });
}

function headersOf(reply: FastifyReply): Record<string, string> {
  return Object.fromEntries(Object.entries(reply.getHeaders()).map(([name, value]) => [name, String(value)]));
}

function textOf(payload: unknown): string | null {
  if (typeof payload === 'string') return payload === '' ? null : payload;
  return Buffer.isBuffer(payload) && payload.length > 0 ? payload.toString() : null;
}
