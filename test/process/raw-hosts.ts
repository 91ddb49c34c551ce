import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer, type TLSSocket } from 'node:tls';
import { startFleetDns } from '../../src/reference/fleet/fleet-dns.ts';
import { createSecureContexts } from '../../src/reference/tls/secure-contexts.ts';
import { listen } from '../serve-http.ts';

/** The whole answer to a request target of a host, byte for byte; undefined: 404. */
export type RawAnswers = (host: string, target: string) => Uint8Array | undefined;

export interface RawHosts extends Disposable {
  /** Contains the settings, the opt-outs and the database. */
  folder: string;
  settingsFile: string;
  /** Host and target of every request, in order. */
  requests: readonly (readonly [host: string, target: string])[];
}

const NOT_FOUND = Buffer.from('HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n');

/**
 * Serves hosts that send raw bytes over TLS, all at one port of 127.0.0.1, and a name server for `*.test`.
 *
 * @param settings merged into the settings, one level deep.
 */
export async function serveRawHosts(
  answers: RawAnswers,
  { port = 0, settings = {} }: { port?: number; settings?: object } = {},
): Promise<RawHosts & { port: number }> {
  const folder = mkdtempSync(join(tmpdir(), 'loopscout-test-'));
  const contexts = createSecureContexts(100);
  const requests: [string, string][] = [];
  const respond = (socket: TLSSocket) => {
    socket.on('error', () => undefined);
    socket.once('data', (data) => {
      const [, target = '/'] = /^\w+ (\S+)/.exec(String(data)) ?? [];
      const host = String(socket.servername || '');
      requests.push([host, target]);
      socket.end(answers(host, target) ?? NOT_FOUND);
    });
  };
  const server = createServer({ SNICallback: (name, done) => done(null, contexts.contextFor(name)) }, respond);
  const listening = await listen(server, port);
  // Undefined: the name has the address 127.0.0.1; null: it does not exist.
  const dns = await startFleetDns((name) => (name.endsWith('.test') ? undefined : null), 0);
  writeFileSync(join(folder, 'ca.pem'), contexts.authority);
  const settingsFile = join(folder, 'settings.json');
  const all = {
    database: 'test.sqlite',
    sources: [],
    domains: { allowSuffixes: ['test'] },
    network: { allow: ['127.0.0.0/8'], dnsServers: [dns.address], caFile: 'ca.pem' },
    queue: { visitsPerSecond: 0, perAddress: 0 },
    export: { dir: 'export' },
    ...settings,
  };
  writeFileSync(settingsFile, JSON.stringify(all));
  return {
    folder,
    settingsFile,
    requests,
    port: listening.port,
    [Symbol.dispose]() {
      server.close();
      void dns.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
