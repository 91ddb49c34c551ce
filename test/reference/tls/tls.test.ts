import { X509Certificate } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { get } from 'node:https';
import { type ConnectionOptions, connect, createServer } from 'node:tls';
import { describe, expect, it } from 'vitest';
import { createReferenceServer, type ReferenceServer } from '../../../src/reference/index.ts';
import { createSecureContexts } from '../../../src/reference/tls/secure-contexts.ts';
import { CertificateFault, OldProtocol } from '../../../src/reference/tls/tls-fault.ts';
import { listen } from '../../serve-http.ts';

/** Reads the name of the software from config with a client of these options; returns the code and message of an error. */
function readSoftware(url: string, options: ConnectionOptions): Promise<string> {
  return new Promise((resolve) => {
    const request = get(`${url}/api/v1/config`, { ...options, agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      response.on('end', () => resolve(JSON.parse(text).app.software));
    });
    request.on('error', ({ code, message }: NodeJS.ErrnoException) => resolve(`${code} ${message}`));
  });
}

/** Options of a client that trusts the authority of the server. */
const trustOptions = ({ caPem }: ReferenceServer): ConnectionOptions => ({ ca: caPem ?? '' });

describe('a reference server with TLS', () => {
  it.for(['127.0.0.1', 'localhost', '::1', '0.0.0.0', '::'])(
    'is trusted, and has a certificate for every local name, when it listens on %s',
    async (host) => {
      await using server = await createReferenceServer({ host, tls: true });
      expect(server.url).toMatch(/^https:\/\//);
      expect(server.state.config.app.url).toBe(server.url);
      expect(await readSoftware(server.url, trustOptions(server))).toBe('loops');
      const subjectAltName = new X509Certificate(await readCertificate(server)).subjectAltName;
      for (const name of ['DNS:localhost', 'IP Address:127.0.0.1', 'IP Address:0:0:0:0:0:0:0:1'])
        expect(subjectAltName).toContain(name);
    },
  );

  it('is trusted under its public name', async () => {
    await using server = await createReferenceServer({ tls: true, url: 'https://loops.example/' });
    expect(server.url).toBe('https://loops.example');
    const localUrl = `https://127.0.0.1:${server.port}`;
    expect(await readSoftware(localUrl, { ...trustOptions(server), servername: 'loops.example' })).toBe('loops');
  });

  it('has its authority as text and as a file that closing removes, and neither without TLS', async () => {
    const server = await createReferenceServer({ tls: true });
    const { caFile } = server;
    if (caFile === null) throw new Error('There is no file.');
    expect(readFileSync(caFile, 'utf8')).toBe(server.caPem);
    await server.close();
    await server.close();
    expect(existsSync(caFile)).toBe(false);
    await using plain = await createReferenceServer();
    expect([plain.caFile, plain.caPem]).toEqual([null, null]);
  });

  it('is not trusted by a client without the authority', async () => {
    await using server = await createReferenceServer({ tls: true });
    expect(await readSoftware(server.url, {})).toMatch(/UNABLE_TO_VERIFY_LEAF_SIGNATURE/);
  });

  it('supports only HTTP/1.1', async () => {
    await using server = await createReferenceServer({ tls: true });
    const socket = connect({ port: server.port, ...trustOptions(server), ALPNProtocols: ['h2', 'http/1.1'] });
    await new Promise((resolve) => socket.once('secureConnect', resolve));
    expect(socket.alpnProtocol).toBe('http/1.1');
    socket.destroy();
  });
});

describe('a certificate fault', () => {
  const errorCodes: Record<CertificateFault, RegExp> = {
    expired: /CERT_HAS_EXPIRED/,
    'not-yet-valid': /CERT_NOT_YET_VALID/,
    'wrong-name': /ERR_TLS_CERT_ALTNAME_INVALID/,
    'self-signed': /DEPTH_ZERO_SELF_SIGNED_CERT/,
    'unknown-authority': /UNABLE_TO_VERIFY_LEAF_SIGNATURE/,
    'incomplete-chain': /UNABLE_TO_VERIFY_LEAF_SIGNATURE/,
  };

  it.for(CertificateFault.options)('%s is the only problem for a client', async (certificate) => {
    await using server = await createReferenceServer({ tls: { certificate } });
    expect(await readSoftware(server.url, trustOptions(server))).toMatch(errorCodes[certificate]);
    expect(await readSoftware(server.url, { rejectUnauthorized: false })).toBe('loops');
  });

  it('incomplete-chain puts the URL of the intermediate certificate into the certificate; unknown-authority puts none', () => {
    const contexts = createSecureContexts(1);
    const infoAccessOf = (fault: 'incomplete-chain' | 'unknown-authority') =>
      new X509Certificate(contexts.identityFor(['localhost'], fault).cert?.toString() ?? '').infoAccess;
    expect(infoAccessOf('incomplete-chain')).toContain('CA Issuers - URI:http://authority.example/intermediate.cer');
    expect(infoAccessOf('unknown-authority')).toBeUndefined();
  });

  it('incomplete-chain is valid for a client that has the intermediate certificate', async () => {
    const contexts = createSecureContexts(1);
    await using server = await listen(createServer(contexts.identityFor(['localhost'], 'incomplete-chain')));
    const { port } = server;
    const connectWith = (ca: string[]) =>
      new Promise<string>((resolve) => {
        const socket = connect({ port, host: '127.0.0.1', servername: 'localhost', ca }, () => {
          resolve('trusted');
          socket.destroy();
        });
        socket.on('error', ({ code }: NodeJS.ErrnoException) => resolve(String(code)));
      });
    expect(await connectWith([contexts.authority])).toBe('UNABLE_TO_VERIFY_LEAF_SIGNATURE');
    expect(await connectWith([contexts.authority, contexts.intermediate])).toBe('trusted');
  });
});

describe('an old protocol', () => {
  it.for(OldProtocol.options)('%s is refused by a current client, and accepted by an old one', async (protocol) => {
    await using server = await createReferenceServer({ tls: { protocol } });
    expect(await readSoftware(server.url, trustOptions(server))).toMatch(/protocol version/);
    const old: ConnectionOptions = { minVersion: 'TLSv1', maxVersion: protocol, ciphers: 'DEFAULT@SECLEVEL=0' };
    expect(await readSoftware(server.url, { ...trustOptions(server), ...old })).toBe('loops');
  });
});

/** Reads the certificate that a server sends, in DER. */
function readCertificate({ url, port }: ReferenceServer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const host = new URL(url).hostname.replace(/^\[|\]$/g, '');
    const socket = connect({ host, port, rejectUnauthorized: false }, () => {
      resolve(socket.getPeerCertificate().raw);
      socket.destroy();
    });
    socket.on('error', reject);
  });
}
