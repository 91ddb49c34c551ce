import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer, type TLSSocket } from 'node:tls';
import { createServer as createDnsServer, Packet } from 'dns2';
import { createSecureContexts } from '../../src/reference/tls/secure-contexts.ts';

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
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const dns = createDnsServer({
    udp: true,
    handle: (request, send) => {
      const response = Packet.createResponseFromRequest(request);
      const [question] = request.questions;
      if (question?.type === Packet.TYPE.A && question.name.endsWith('.test'))
        response.answers.push(Packet.createResourceFromQuestion(question, { ttl: 60, address: '127.0.0.1' }));
      send(response);
    },
  });
  await dns.listen({ udp: { port: 0, address: '127.0.0.1' } });
  writeFileSync(join(folder, 'ca.pem'), contexts.authority);
  const settingsFile = join(folder, 'settings.json');
  const all = {
    database: 'test.sqlite',
    sources: [],
    domains: { allowSuffixes: ['test'] },
    network: {
      allow: ['127.0.0.0/8'],
      dnsServers: [`127.0.0.1:${(dns.addresses().udp as AddressInfo).port}`],
      caFile: 'ca.pem',
    },
    queue: { visitsPerSecond: 0, perAddress: 0 },
    export: { dir: 'export' },
    ...settings,
  };
  writeFileSync(settingsFile, JSON.stringify(all));
  return {
    folder,
    settingsFile,
    requests,
    port: (server.address() as AddressInfo).port,
    [Symbol.dispose]() {
      server.close();
      dns.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
