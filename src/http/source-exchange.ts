import type { ClientRequest, IncomingMessage } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { Readable } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import type { Got, Request, RequestFunction } from 'got';
import { admitHost, NO_OPT_OUTS, UNNAMED_HOST } from './admit-host.ts';
import { connectTcp } from './connect-tcp.ts';
import { ACCEPT_ENCODING } from './decoder.ts';
import { AnswerError, type HttpFailure, parseRetryAfter, strictErrorOf } from './failure.ts';
import { limitFloods } from './flood-limits.ts';
import { requestHttp } from './node-http.ts';
import { createPinnedAgents, type PinnedAgents } from './pinned-agents.ts';
import type { HostAddress } from './resolver.ts';
import { headerText, MAX_HEADER_BYTES, problemOfLenientRead } from './response-headers.ts';
import type { SourceAnswer, SourceRefusal, SourceRequest } from './source-http.ts';
import { BodyError, describeFailure, findBodyError, streamBody } from './stream-body.ts';
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
    | 'optOuts'
  > {
  /** Longest pause in the middle of a body. Default 30 s. */
  stallMs?: number;
}

/** A redirect that the caller may follow. */
interface Redirect {
  kind: 'redirect';
  location: string | undefined;
}

/** The connections of one source run. */
interface SourceExchange {
  /** Sends one guarded request and ends the body of the previous one. */
  send(url: URL, sourceRequest: SourceRequest): Promise<SourceAnswer | SourceRefusal | Redirect>;
  /** Requests sent so far. */
  sent(): number;
  /** Ends the running request and every later one; `why` becomes the error of the running body. */
  end(why: string): void;
}

const STALL_MS = 30_000;
const LEADS_TO_OPTED_OUT = `it leads to ${UNNAMED_HOST}`;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** @param startedAt start of the run, on the clock of the options. */
export function createSourceExchange(
  options: SourceExchangeOptions,
  { startedAt, withinMs }: { startedAt: number; withinMs: number },
): SourceExchange {
  const { guard, resolver, clock, now = Date.now, connector = connectTcp, secureContext, stallMs = STALL_MS } = options;
  const { optOuts = NO_OPT_OUTS } = options;
  const watchdog = createWatchdog({ ...options, visitMs: withinMs }, clock);
  const pinned = new Map<string, readonly HostAddress[]>();
  const [certificates, answered] = [new Map(), new Map()];
  const openAgents = () => createPinnedAgents({ secureContext, connector, pinned, guard, certificates, answered });
  const agents = openAgents();
  let sent = 0;
  let endReason: string | null = null;
  let currentBody: Readable | null = null;
  let request: Got | null = null;

  /** Got is loaded at the first request: that takes 0.1 s, and many crawls read only files. */
  async function loadGot(): Promise<Got> {
    const { default: got } = await import('got');
    return got.extend({
      headers: { 'user-agent': options.userAgent, 'accept-encoding': ACCEPT_ENCODING },
      decompress: false,
      maxHeaderSize: MAX_HEADER_BYTES,
      retry: { limit: 0 },
      followRedirect: false,
      throwHttpErrors: false,
    });
  }

  /** Sends a request, and waits for the headers of its answer. */
  async function open(got: Got, url: URL, sourceRequest: SourceRequest, pool: PinnedAgents) {
    const stream = got.stream(url, {
      agent: { [url.protocol === 'https:' ? 'https' : 'http']: pool.agentFor(url) },
      ...requestOptions(sourceRequest),
      ...(pool === agents ? {} : { request: requestLeniently }),
    });
    sent += 1;
    currentBody = stream;
    const opening = openStream(stream, sourceRequest.maxBytes);
    watchdog.watch(opening, startedAt);
    const response = await opening.response;
    watchdog.unwatch(opening);
    return { stream, response, informationalBytes: opening.informationalBytes };
  }

  /** As a visit does: what the strict parser refuses is read once more, leniently, over a connection of its own. */
  async function openLeniently(got: Got, url: URL, sourceRequest: SourceRequest) {
    const ownConnection = openAgents();
    const opened = await open(got, url, sourceRequest, ownConnection);
    opened.stream.once('close', () => ownConnection.destroy());
    const { response } = opened;
    const problem = typeof response === 'string' || response instanceof Error ? null : problemOfLenientRead(response);
    if (problem === null) return opened;
    opened.stream.destroy();
    return { ...opened, response: new AnswerError('invalid-http', problem) };
  }

  return {
    async send(url, sourceRequest) {
      currentBody?.destroy();
      // A refusal is stored, so it must not contain the name of an opted-out host.
      if (optOuts.covers(url)) return refused(LEADS_TO_OPTED_OUT);
      const admitted = await admitHost(url, pinned, guard, resolver);
      request ??= await loadGot();
      if (endReason !== null) return refused(endReason);
      if (optOuts.covers(url)) return refused(LEADS_TO_OPTED_OUT);
      if (typeof admitted === 'string') return refused(admitted);
      let opened = await open(request, url, sourceRequest, agents);
      if (strictErrorOf(opened.response) !== null && endReason === null)
        opened = await openLeniently(request, url, sourceRequest);
      const { stream, response, informationalBytes } = opened;
      if (typeof response === 'string') return refused(response);
      if (response instanceof Error) {
        const why = findBodyError(response)?.message ?? describeFailure(response);
        if (why === null) throw response;
        return refused(endReason ?? why);
      }
      if (!REDIRECTS.has(response.statusCode ?? 0)) {
        const limits = { maxBytes: Math.max(0, sourceRequest.maxBytes - informationalBytes()), stallMs };
        return answerOf(url, response, streamBody(stream, response.headers['content-encoding'], limits), now());
      }
      stream.destroy();
      const { location } = response.headers;
      return { kind: 'redirect', location: location === undefined ? undefined : headerText(location) };
    },
    sent: () => sent,
    end(why) {
      endReason ??= why;
      currentBody?.destroy(new BodyError(why));
      agents.destroy();
    },
  };
}

function requestOptions({ accept, json, conditions }: SourceRequest) {
  const headers = {
    accept,
    ...(conditions?.etag == null ? {} : { 'if-none-match': conditions.etag }),
    ...(conditions?.lastModified == null ? {} : { 'if-modified-since': conditions.lastModified }),
  };
  if (json === undefined) return { method: 'GET' as const, headers };
  const posted = { ...headers, 'content-type': 'application/json' };
  return { method: 'POST' as const, headers: posted, body: JSON.stringify(json) };
}

const requestLeniently: RequestFunction = (url, options, onResponse) =>
  (url.protocol === 'https:' ? requestHttps : requestHttp)(url, { ...options, insecureHTTPParser: true }, onResponse);

function refused(why: string): SourceRefusal {
  return { kind: 'failure', why, retryAfterMs: null };
}

function answerOf(url: URL, message: IncomingMessage, body: AsyncIterable<Uint8Array>, now: number): SourceAnswer {
  const { statusCode = 0, headers } = message;
  return {
    kind: 'answer',
    status: statusCode,
    url,
    headers,
    etag: storableValidator(headers.etag),
    lastModified: storableValidator(headers['last-modified']),
    retryAfterMs: parseRetryAfter(headers['retry-after'], now),
    body,
  };
}

/** Validators are sent back unchanged, so a longer one is dropped, not truncated. */
function storableValidator(validator: string | undefined): string | null {
  return validator !== undefined && validator.length <= 1_000 ? validator : null;
}

interface Opening extends Watched {
  response: Promise<IncomingMessage | Error | HttpFailure>;
  /** Bytes of the informational answers so far. */
  informationalBytes(): number;
}

/** Waits for the headers of a got stream; the body remains to be read. */
function openStream(stream: Request, maxBytes: number): Opening {
  let hasAnswer = false;
  let socket: TLSSocket | null = null;
  let informationalBytes = () => 0;
  const { promise: response, resolve } = Promise.withResolvers<IncomingMessage | Error | HttpFailure>();
  const end = (problem: Error | HttpFailure): void => {
    resolve(problem);
    stream.destroy(problem instanceof Error ? problem : undefined);
  };
  stream.once('request', (sent: ClientRequest) => {
    sent.maxHeadersCount = 0;
    informationalBytes = limitFloods(sent, end, maxBytes);
  });
  stream.once('socket', (assigned: TLSSocket) => {
    socket = assigned;
  });
  stream.once('response', (message: IncomingMessage) => {
    hasAnswer = true;
    resolve(message);
  });
  // The server switched the connection to another protocol.
  stream.once('upgrade', () => end('invalid-http'));
  // Stays attached: a destroyed stream may still report its end as an error.
  stream.on('error', resolve);
  return {
    response,
    end,
    socket: () => socket,
    hasAnswer: () => hasAnswer,
    informationalBytes: () => informationalBytes(),
  };
}
