import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { startFleetDns } from '../../src/reference/fleet/fleet-dns.ts';
import { writeCaFile } from '../../src/reference/tls/certificate-authority.ts';
import { createSecureContexts } from '../../src/reference/tls/secure-contexts.ts';

/** Answers a request whatever its method; what it throws or leaves unfinished is its own affair. */
export type ListAnswer = (request: IncomingMessage, response: ServerResponse) => unknown;

export interface ListSite extends AsyncDisposable {
  /** `ADDRESS:PORT` of a name server that knows every name but those left out: 127.0.0.1. */
  readonly dnsServer: string;
  /** Holds the authority of the site, and those given. */
  readonly caFile: string;
  /** The address of a path under a name. */
  urlOf(name: string, path?: string): string;
  /** By name; a name without an answer says 404. To be changed while it runs. */
  readonly answers: Map<string, ListAnswer>;
  /** What was asked, `METHOD NAME PATH`, oldest first. */
  readonly asked: string[];
}

/** Serves lists over TLS on 127.0.0.1, under any names, with a name server beside it. */
export async function startListSite({
  authorities = [],
  isUnknown = () => false,
}: {
  /** Certificates, PEM, of others that are to be trusted too. */
  authorities?: readonly string[];
  /** Names that do not exist. */
  isUnknown?: (name: string) => boolean;
} = {}): Promise<ListSite> {
  const contexts = createSecureContexts(100);
  const authority = await writeCaFile([contexts.authority, ...authorities].join('\n'));
  const answers = new Map<string, ListAnswer>();
  const asked: string[] = [];
  const server = createServer({ SNICallback: (name, done) => done(null, contexts.contextFor(name)) });
  server.on('tlsClientError', () => undefined);
  server.on('request', (request, response) => {
    const name = (request.headers.host ?? '').replace(/:\d+$/, '');
    asked.push(`${request.method} ${name} ${request.url}`);
    const answer = answers.get(name);
    // Whoever asks may go away at any time.
    response.on('error', () => undefined);
    if (answer === undefined || request.url === '/robots.txt') response.writeHead(404).end();
    else answer(request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const dns = await startFleetDns((name) => (isUnknown(name) ? null : undefined), 0);
  return {
    dnsServer: dns.address,
    caFile: authority.path,
    urlOf: (name, path = '/') => `https://${name}:${port}${path}`,
    answers,
    asked,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
      await dns.close();
      await authority.remove();
    },
  };
}

/** Answers with a document, whatever is asked. */
export function jsonAnswer(document: unknown, headers: Record<string, string> = {}): ListAnswer {
  return (_request, response) =>
    response.writeHead(200, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(document));
}

/** Answers with a body as long as `pieces` go on, in pieces of 64 KB, for as long as it is read. */
export function endlessAnswer(pieces: () => Iterable<string>, type = 'application/json'): ListAnswer {
  return (_request, response) => {
    response.writeHead(200, { 'content-type': type });
    return pipeline(Readable.from(blocksOf(pieces())), response).catch(() => undefined);
  };
}

function* blocksOf(pieces: Iterable<string>): Iterable<string> {
  let block = '';
  for (const piece of pieces) {
    block += piece;
    if (block.length < 65_536) continue;
    yield block;
    block = '';
  }
  yield block;
}
