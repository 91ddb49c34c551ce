import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { startFleetDns } from '../../src/reference/fleet/fleet-dns.ts';
import { writeAuthorityFile } from '../../src/reference/tls/authority-file.ts';
import { createSecureContexts } from '../../src/reference/tls/secure-contexts.ts';

/**
 * The server of the import benchmark, in a process of its own: `lists.example`, which serves one list of so many candidates as JSON, with
 * an ETag. Of a hundred, one stands twice, in capitals, and one is refused, for a reason of several. Each request is a line of its output.
 */
const candidates = Number(process.argv[2] ?? 1_000_000);
const ETAG = '"the-only-edition"';
const say = (line: object) => process.stdout.write(`${JSON.stringify(line)}\n`);

const refused = ['127.0.0.1', 'localhost', 'under_score.example', 'not a host', 'host.local', 'a..example', '10.1.2.3'];
const software = ['mastodon', 'misskey', 'lemmy', 'peertube', 'loops'];

function nameOf(index: number): string {
  const place = index % 100;
  if (place === 98) return `H${index - 1}-${Math.imul(index - 1, 2_654_435_761) >>> 0}.EXAMPLE.`;
  if (place === 99) return refused[Math.floor(index / 100) % refused.length] ?? 'localhost';
  return `h${index}-${Math.imul(index, 2_654_435_761) >>> 0}.example`;
}

function* pieces(): Iterable<string> {
  let piece = '{"data":[';
  for (let index = 0; index < candidates; index++) {
    const entry = { domain: nameOf(index), software: software[index % 5] };
    piece += `${index === 0 ? '' : ','}${JSON.stringify(entry)}`;
    if (piece.length < 65_536) continue;
    yield piece;
    piece = '';
  }
  yield `${piece}]}`;
}

const contexts = createSecureContexts(10);
const authority = await writeAuthorityFile(contexts.authority);
const server = createServer({ SNICallback: (name, done) => done(null, contexts.contextFor(name)) });
server.on('request', async (request, response) => {
  const { method, url, headers } = request;
  const isConditional = headers['if-none-match'] === ETAG;
  const status = url !== '/servers.json' ? 404 : isConditional ? 304 : 200;
  say({ method, url, isConditional, status });
  response.writeHead(status, status === 404 ? {} : { etag: ETAG, 'content-type': 'application/json' });
  if (status === 200) {
    for (const piece of pieces()) if (!response.write(piece)) await once(response, 'drain');
  }
  response.end();
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');
const dns = await startFleetDns((name) => (name === 'lists.example' ? undefined : null), 0);
let bytes = 0;
for (const piece of pieces()) bytes += piece.length;
say({ port: (server.address() as AddressInfo).port, caFile: authority.path, dnsServer: dns.address, bytes });
process.stdin.resume().on('end', async () => {
  server.close().closeAllConnections();
  await dns.close();
  await authority.remove();
});
