import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { servePlain } from '../../http/loopback.ts';

/** A request as received by a list server. */
export interface ReceivedRequest {
  method: string;
  url: URL;
  headers: IncomingHttpHeaders;
  body: string;
}

export interface ListServer {
  /** `http://127.0.0.1:PORT` */
  url: string;
  /** All requests in order, including robots.txt. */
  requests: readonly ReceivedRequest[];
  /** Path and query of all requests except robots.txt. */
  paths(): string[];
}

export interface ListServerOptions {
  /** Text or status of robots.txt; 404 by default. */
  robots?: string | number;
}

/** Serves HTTP on loopback until the test ends. Fails the test if the client left a connection open. */
export async function serveList(
  answer: (request: ReceivedRequest, response: ServerResponse) => unknown,
  { robots = 404 }: ListServerOptions = {},
): Promise<ListServer> {
  const requests: ReceivedRequest[] = [];
  const { port } = await servePlain(async (request, response) => {
    const { method = '', headers } = request;
    const url = new URL(`http://${headers.host}${request.url}`);
    const received = { method, url, headers, body: await text(request) };
    requests.push(received);
    if (url.pathname !== '/robots.txt') answer(received, response);
    else if (typeof robots === 'number') response.writeHead(robots).end();
    else response.writeHead(200, { 'content-type': 'text/plain' }).end(robots);
  });
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    paths: () =>
      requests.filter(({ url }) => url.pathname !== '/robots.txt').map(({ url }) => url.pathname + url.search),
  };
}

export function sendJson(response: ServerResponse, value: unknown, status = 200, headers: object = {}): void {
  const type = { 'content-type': 'application/json; charset=utf-8' };
  response.writeHead(status, { ...type, ...headers }).end(JSON.stringify(value));
}
