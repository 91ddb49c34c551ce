import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { startFleetDns } from '../../src/reference/fleet/fleet-dns.ts';
import { writeCaFile } from '../../src/reference/tls/ca-file.ts';
import { createSecureContexts } from '../../src/reference/tls/secure-contexts.ts';
import { listPieces } from './import-list.ts';

/**
 * Child process: the server `lists.example` of the import benchmark. Argument: the number of candidates. It serves a list of them as
 * JSON, with an ETag, and prints one line per request. After a line on stdin it ignores the conditions of requests.
 */
const candidates = Number(process.argv[2] ?? 1_000_000);
const ETAG = '"the-only-edition"';
let honoursConditions = true;
const printLine = (line: object) => process.stdout.write(`${JSON.stringify(line)}\n`);

const contexts = createSecureContexts(10);
const authority = await writeCaFile(contexts.authority);
const server = createServer({ SNICallback: (name, done) => done(null, contexts.contextFor(name)) });
server.on('request', async (request, response) => {
  const { method, url, headers } = request;
  const isConditional = headers['if-none-match'] === ETAG;
  const status = url !== '/servers.json' ? 404 : isConditional && honoursConditions ? 304 : 200;
  printLine({ method, url, isConditional, status });
  response.writeHead(status, status === 404 ? {} : { etag: ETAG, 'content-type': 'application/json' });
  if (status === 200) {
    for (const piece of listPieces('web', candidates)) if (!response.write(piece)) await once(response, 'drain');
  }
  response.end();
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');
// Undefined: the name has the address 127.0.0.1; null: it does not exist.
const dns = await startFleetDns((name) => (name === 'lists.example' ? undefined : null), 0);
let bytes = 0;
for (const piece of listPieces('web', candidates)) bytes += piece.length;
printLine({ port: (server.address() as AddressInfo).port, caFile: authority.path, dnsServer: dns.address, bytes });
process.stdin.once('data', () => {
  honoursConditions = false;
});
process.stdin.on('end', async () => {
  server.close().closeAllConnections();
  await dns.close();
  await authority.remove();
});
