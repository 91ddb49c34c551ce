import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import type { Request } from 'got';
import { admitHost, NO_OPT_OUTS, UNNAMED_HOST } from './admit-host.ts';
import { connectTcp } from './connect-tcp.ts';
import { createGot } from './create-got.ts';
import { failureOf, type HttpFailure, parseRetryAfter } from './failure.ts';
import { createPinnedAgents } from './pinned-agents.ts';
import type { HostAddress } from './resolver.ts';
import type { SourceAnswer, SourceRefusal, SourceRequest } from './source-http.ts';
import { BodyError, bodyErrorIn, streamBody } from './stream-body.ts';
import type { HttpOptions } from './visit-client.ts';
import { createWatchdog, type Watched } from './watchdog.ts';

export interface SourceExchangeOptions
  extends Pick<
    HttpOptions,
    | 'secureContext'
    | 'guard'
    | 'resolver'
    | 'userAgent'
    | 'clock'
    | 'now'
    | 'connector'
    | 'connectMs'
    | 'responseMs'
    | 'isOptedOut'
  > {
  /** How long nothing may come in the middle of a list. Default 30 s. */
  stallMs?: number;
}

/** A redirect, not followed. */
interface Redirect {
  kind: 'redirect';
  location: string | undefined;
}

/** The connections of one reading. */
interface SourceExchange {
  /** One request to one place, guarded; it ends the body of the one before. */
  send(url: URL, asked: SourceRequest): Promise<SourceAnswer | SourceRefusal | Redirect>;
  sent(): number;
  /** Ends the request under way, whose body breaks off for this reason, and every one to come. */
  end(why: string): void;
}

const STALL_MS = 30_000;
const LEADS_TO_ONE = `it leads to ${UNNAMED_HOST}`;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** @param startedAt of the reading, on the clock of the options. */
export function createSourceExchange(
  options: SourceExchangeOptions,
  { startedAt, withinMs }: { startedAt: number; withinMs: number },
): SourceExchange {
  const { guard, resolver, clock, now = Date.now, connector = connectTcp, secureContext, stallMs = STALL_MS } = options;
  const { isOptedOut = NO_OPT_OUTS } = options;
  const request = createGot(options.userAgent);
  const watchdog = createWatchdog({ ...options, visitMs: withinMs }, clock);
  const pinned = new Map<string, readonly HostAddress[]>();
  const agents = createPinnedAgents({
    secureContext,
    connector,
    onCertificate: () => undefined,
    // Judged once more at the last moment: nothing between here and the connection can change the address.
    addressesOf: (name) => (pinned.get(name) ?? []).filter(({ address }) => guard(address) === null),
  });
  let sent = 0;
  let ended: string | null = null;
  let underWay: Readable | null = null;

  return {
    async send(url, asked) {
      underWay?.destroy();
      // The name of such a host stands in no word of ours: what is refused is written down.
      if (isOptedOut(url)) return refused(LEADS_TO_ONE);
      const admitted = await admitHost(url, pinned, guard, resolver);
      if (ended !== null) return refused(ended);
      if (isOptedOut(url)) return refused(LEADS_TO_ONE);
      if (typeof admitted === 'string') return refused(admitted);
      const stream = request.stream(url, { agent: agents.agentFor(url), ...sentOf(asked) });
      sent += 1;
      underWay = stream;
      const opening = openStream(stream);
      watchdog.watch(opening, startedAt);
      const begun = await opening.begun;
      watchdog.unwatch(opening);
      if (typeof begun === 'string') return refused(begun);
      if (begun instanceof Error) {
        const why = bodyErrorIn(begun)?.message ?? failureOf(begun);
        if (why === null) throw begun;
        return refused(ended ?? why);
      }
      if (!REDIRECTS.has(begun.statusCode ?? 0)) {
        const limits = { maxBytes: asked.maxBytes, stallMs };
        return answerOf(url, begun, streamBody(stream, begun.headers['content-encoding'], limits), now());
      }
      stream.destroy();
      return { kind: 'redirect', location: begun.headers.location };
    },
    sent: () => sent,
    end(why) {
      ended ??= why;
      underWay?.destroy(new BodyError(why));
      agents.destroy();
    },
  };
}

function sentOf({ accept, json, conditions }: SourceRequest) {
  const headers = {
    accept,
    ...(conditions?.etag == null ? {} : { 'if-none-match': conditions.etag }),
    ...(conditions?.lastModified == null ? {} : { 'if-modified-since': conditions.lastModified }),
  };
  if (json === undefined) return { method: 'GET' as const, headers };
  const posted = { ...headers, 'content-type': 'application/json' };
  return { method: 'POST' as const, headers: posted, body: JSON.stringify(json) };
}

function refused(why: string): SourceRefusal {
  return { kind: 'failure', why, retryAfterMs: null };
}

function answerOf(url: URL, message: IncomingMessage, body: AsyncIterable<Uint8Array>, now: number): SourceAnswer {
  const { statusCode = 0, headers } = message;
  return {
    kind: 'answer',
    status: statusCode,
    url,
    mediaType: headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase() || null,
    etag: shortEnough(headers.etag),
    lastModified: shortEnough(headers['last-modified']),
    retryAfterMs: parseRetryAfter(headers['retry-after'], now),
    body,
  };
}

/** A validator is sent back as it came; one that is longer is not kept. */
function shortEnough(validator: string | undefined): string | null {
  return validator !== undefined && validator.length <= 1_000 ? validator : null;
}

/** Waits for the answer of a got stream to begin, and leaves its body to be read. */
function openStream(stream: Request): Watched & { begun: Promise<IncomingMessage | Error | HttpFailure> } {
  let hasAnswer = false;
  let socket: TLSSocket | null = null;
  const { promise: begun, resolve } = Promise.withResolvers<IncomingMessage | Error | HttpFailure>();
  const end = (failure: HttpFailure): void => {
    resolve(failure);
    stream.destroy();
  };
  stream.once('socket', (assigned: TLSSocket) => {
    socket = assigned;
  });
  stream.once('response', (message: IncomingMessage) => {
    hasAnswer = true;
    resolve(message);
  });
  // A connection that a server takes over for another protocol.
  stream.once('upgrade', () => end('invalid-http'));
  // Stays attached: a stream that was destroyed may still report its own end as an error.
  stream.on('error', resolve);
  return { begun, end, socket: () => socket, hasAnswer: () => hasAnswer };
}
