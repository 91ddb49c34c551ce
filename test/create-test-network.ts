import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer as createDnsServer, Packet } from 'dns2';
import { onTestFinished } from 'vitest';
import { createSecureContexts } from '../src/reference/tls/secure-contexts.ts';
import { loadSettings } from '../src/settings/settings.ts';
import { listen } from './serve-http.ts';

/** One authority and one certificate for each name, for all tests. */
const contexts = createSecureContexts(100);

/** A local network of TLS servers that share a port by default, with a DNS server that resolves their names; closed when the test ends. */
export async function createTestNetwork() {
  const folder = mkdtempSync(join(tmpdir(), 'loopscout-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'ca.pem'), contexts.authority);
  /** By name. */
  const addresses = new Map<string, readonly string[]>();
  /** The shared port; 0 until the first server has chosen a free one. */
  let port = 0;

  const dns = createDnsServer({
    udp: true,
    handle: (request, send) => {
      const response = Packet.createResponseFromRequest(request);
      const [question] = request.questions;
      for (const address of addresses.get(question?.name ?? '') ?? []) {
        if (question?.type === Packet.TYPE.A)
          response.answers.push(Packet.createResourceFromQuestion(question, { ttl: 60, address }));
      }
      send(response);
    },
  });
  await dns.listen({ udp: { port: 0, address: '127.0.0.1' } });
  onTestFinished(() => dns.close());

  return {
    folder,
    /**
     * Starts a server and returns its domain. `answer` returns the JSON body for a path, or null for a 404; it may also
     * set another status, or end the response itself. `onPort` selects a port other than the shared one (0: any free port).
     */
    async listen(
      name: string,
      address: string,
      answer: (path: string, request: IncomingMessage, response: ServerResponse) => Promise<object | null>,
      onPort?: number,
    ): Promise<string> {
      const server = createServer({ SNICallback: (sni, done) => done(null, contexts.contextFor(sni, undefined)) });
      server.on('request', async (request, response) => {
        const body = await answer(request.url ?? '', request, response);
        if (response.writableEnded) return;
        if (response.statusCode === 200 && body === null) response.statusCode = 404;
        response.setHeader('content-type', 'application/json');
        response.end(body === null ? undefined : JSON.stringify(body));
      });
      const listening = await listen(server, onPort ?? port, address);
      onTestFinished(() => listening[Symbol.asyncDispose]());
      if (onPort === undefined) port = listening.port;
      addresses.set(name, [address]);
      return `${name}:${listening.port}`;
    },

    /** Makes the DNS server resolve a name to these addresses. */
    addName: (name: string, ...to: readonly string[]) => void addresses.set(name, to),

    /** The settings of a crawler in this network, without a rate limit, and with these values for `queue`, `flags` and any other keys. */
    settings: (queue: object, flags: object = {}, more: object = {}) =>
      loadSettings({
        file: null,
        env: {},
        cwd: folder,
        flags: {
          database: 'test.sqlite',
          domains: { allowSuffixes: ['example'] },
          queue: { visitsPerSecond: 0, ...queue },
          flags,
          network: {
            allow: ['127.0.0.0/8'],
            dnsServers: [`127.0.0.1:${(dns.addresses().udp as AddressInfo).port}`],
            caFile: 'ca.pem',
          },
          ...more,
        },
      }),
  };
}
