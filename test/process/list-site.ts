import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { startFleetDns } from '../../src/reference/fleet/fleet-dns.ts';
import { writeCaFile } from '../../src/reference/tls/ca-file.ts';
import { createSecureContexts } from '../../src/reference/tls/secure-contexts.ts';
import { listen } from '../serve-http.ts';

/** Answers every request to a name, whatever its method, except for robots.txt. It need not end the response. */
export type ListAnswer = (request: IncomingMessage, response: ServerResponse) => unknown;

export interface ListSite extends AsyncDisposable {
  /** `ADDRESS:PORT` of a DNS server that resolves every name to 127.0.0.1, except unknown ones. */
  readonly dnsServer: string;
  /** Contains the certificate authority of the site and the given ones. */
  readonly caFile: string;
  /** URL of a path under a name. */
  urlOf(name: string, path?: string): string;
  /** Answers by name. They can be changed at any time; the response for a name without an answer is 404. */
  readonly answers: Map<string, ListAnswer>;
  /** Received requests as `METHOD NAME PATH`, oldest first. */
  readonly requests: string[];
}

/** Serves lists over TLS on 127.0.0.1 under any name, together with a DNS server. */
export async function startListSite({
  authorities = [],
  isUnknown = () => false,
}: {
  /** Certificates (PEM) of further authorities to trust. */
  authorities?: readonly string[];
  /** True for names that do not resolve. */
  isUnknown?: (name: string) => boolean;
} = {}): Promise<ListSite> {
  const contexts = createSecureContexts(100);
  const authority = await writeCaFile([contexts.authority, ...authorities].join('\n'));
  const answers = new Map<string, ListAnswer>();
  const requests: string[] = [];
  const server = createServer({ SNICallback: (name, done) => done(null, contexts.contextFor(name)) });
  server.on('tlsClientError', () => undefined);
  server.on('request', (request, response) => {
    const name = (request.headers.host ?? '').replace(/:\d+$/, '');
    requests.push(`${request.method} ${name} ${request.url}`);
    const answer = answers.get(name);
    // A client may disconnect at any time.
    response.on('error', () => undefined);
    if (answer === undefined || request.url === '/robots.txt') response.writeHead(404).end();
    else answer(request, response);
  });
  const listening = await listen(server);
  const dns = await startFleetDns((name) => (isUnknown(name) ? null : undefined), 0);
  return {
    dnsServer: dns.address,
    caFile: authority.path,
    urlOf: (name, path = '/') => `https://${name}:${listening.port}${path}`,
    answers,
    requests,
    async [Symbol.asyncDispose]() {
      await listening[Symbol.asyncDispose]();
      await dns.close();
      await authority.remove();
    },
  };
}

/** Answers every request with this JSON document. */
export function jsonAnswer(document: unknown, headers: Record<string, string> = {}): ListAnswer {
  return (_request, response) =>
    response.writeHead(200, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(document));
}

/** Streams a body in blocks of 64 KB for as long as the client reads it. */
export function endlessAnswer(pieces: () => Iterable<string>, type = 'application/json'): ListAnswer {
  return (_request, response) => {
    response.writeHead(200, { 'content-type': type });
    return pipeline(Readable.from(toBlocks(pieces())), response).catch(() => undefined);
  };
}

function* toBlocks(pieces: Iterable<string>): Iterable<string> {
  let block = '';
  for (const piece of pieces) {
    block += piece;
    if (block.length < 65_536) continue;
    yield block;
    block = '';
  }
  yield block;
}
