import { serveHttp } from '../serve-http.ts';

/** The client's endpoint that the authorization server redirects the browser to. */
export interface CallbackServer extends AsyncDisposable {
  /** Redirect URI on a free port of 127.0.0.1. */
  readonly url: string;
  /** Path and query of the browser's requests, oldest first, exactly as received. */
  readonly calls: readonly string[];
}

export async function createCallbackServer(path = '/callback'): Promise<CallbackServer> {
  const calls: string[] = [];
  const server = await serveHttp((request, response) => {
    if (request.url?.startsWith(path)) calls.push(request.url);
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.end('<!doctype html><html lang="en"><title>Client</title><h1>Back at the client</h1></html>');
  });
  return { ...server, url: server.url + path, calls };
}
