import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { createReferenceServer, type ReferenceServer } from '../../src/reference/index.ts';
import { serveHttp } from '../serve-http.ts';

/** A request as the proxy received it. */
export interface Received {
  method: string;
  path: string;
  query: URLSearchParams;
  /** The fields of a JSON body or a form. */
  fields: Readonly<Record<string, string>>;
  contentType: string;
  /** The token of the Authorization header; null without one. */
  bearer: string | null;
}

/** An answer that a mutation may change. */
export interface Rewritten {
  status: number;
  headers: Record<string, string>;
  text: string;
}

/** Changes some answers of the reference server in place. */
export type Rewrite = (answer: Rewritten, request: Received) => void;

export interface RewritingProxy extends AsyncDisposable {
  url: string;
  server: ReferenceServer;
  rewrite: Rewrite;
  /** Whether the proxy closes the connection instead of answering this request. */
  isLost: (request: Received) => boolean;
}

/** The reference server behind a proxy that rewrites its answers. */
export async function startRewritingProxy(): Promise<RewritingProxy> {
  const proxy = await serveHttp(async (request, response) => {
    const body = await text(request);
    if (rewritingProxy.isLost(receivedOf(request, body))) return void request.socket.destroy();
    // `fetch` sets the omitted headers itself.
    const headers = Object.entries(request.headers).flatMap(([name, value]) =>
      typeof value === 'string' && !['connection', 'content-length', 'accept-encoding'].includes(name)
        ? [[name, value]]
        : [],
    );
    const answer = await fetch(`http://127.0.0.1:${reference.port}${request.url}`, {
      method: request.method ?? 'GET',
      headers: Object.fromEntries(headers),
      redirect: 'manual',
      ...(body === '' ? {} : { body }),
    });
    // The proxy sends the text uncompressed and with a length of its own.
    const dropped = ['connection', 'keep-alive', 'content-length', 'transfer-encoding', 'content-encoding'];
    const kept = [...answer.headers].filter(([name]) => !dropped.includes(name));
    const rewritten: Rewritten = {
      status: answer.status,
      headers: Object.fromEntries(kept),
      text: await answer.text(),
    };
    rewritingProxy.rewrite(rewritten, receivedOf(request, body));
    response.writeHead(rewritten.status, rewritten.headers).end(rewritten.text);
  });
  const { url } = proxy;
  const reference = await createReferenceServer({ url });
  const rewritingProxy: RewritingProxy = {
    url,
    server: reference,
    rewrite: () => undefined,
    isLost: () => false,
    [Symbol.asyncDispose]: async () => {
      await proxy[Symbol.asyncDispose]();
      await reference.close();
    },
  };
  return rewritingProxy;
}

function receivedOf(request: IncomingMessage, body: string): Received {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://any.example');
  const contentType = request.headers['content-type'] ?? '';
  const fields = contentType.includes('json')
    ? JSON.parse(body || '{}')
    : Object.fromEntries(new URLSearchParams(body));
  const bearer = /^Bearer (.*)$/.exec(request.headers.authorization ?? '')?.[1] ?? null;
  return { method: request.method ?? '', path: pathname, query: searchParams, fields, contentType, bearer };
}
