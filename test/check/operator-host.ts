import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { createServer as createPlainServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createSecureServer } from 'node:http2';
import { createServer as createSecureHttp1 } from 'node:https';
import { type AddressInfo, connect, createServer as createTcpServer, type Server, Socket } from 'node:net';
import { createSecureContext, type SecureVersion } from 'node:tls';
import { onTestFinished } from 'vitest';
import { type CheckOptions, type CheckParts, check } from '../../src/check/check.ts';
import type { Evidence } from '../../src/check/evidence.ts';
import type { Report } from '../../src/check/report.ts';
import { createAddressGuard } from '../../src/http/address-guard.ts';
import type { Connector } from '../../src/http/connect-tcp.ts';
import { createDnsQuestions } from '../../src/http/dns-questions.ts';
import { createResolver, type HostAddress } from '../../src/http/resolver.ts';
import { parseDomain } from '../../src/model/domain/parse-domain.ts';
import { createReferenceServer, type ReferenceServer, type ReferenceServerOptions } from '../../src/reference/index.ts';
import { createCertificateAuthority } from '../../src/reference/tls/certificate-authority.ts';
import { type DnsFault, type NameRecords, type OperatorDns, startOperatorDns } from './operator-dns.ts';
import { type FrontHeaders, withFrontHeaders } from './operator-front.ts';

/** Public addresses; the connector takes what goes there to the listeners of the host, and nothing goes anywhere else. */
export const IPV4 = '93.184.215.14';
export const IPV6 = '2606:2800:21f:cb07:6820:80da:af6b:8b2c';

/** The stock robots.txt of live servers, with the line that is missing there. */
export const CURED_ROBOTS = `User-agent: *
Allow: /
Allow: /.well-known/nodeinfo
Allow: /nodeinfo/2.0
Allow: /nodeinfo/2.1
Disallow: /api/
Allow: /api/v1/config
Allow: /api/v1/video/
Allow: /api/v1/account/username/
Allow: /api/v1/tags/
`;

/** What becomes of connections to an address. */
export type Reception = 'well' | 'refused' | 'silent' | 'reset' | 'unrouted';

/** What a careful operator sees to. All of it may be changed while the host runs; the next connection or request shows it. */
export interface Virtues extends FrontHeaders {
  /** A, AAAA and CAA records of the name, or what goes wrong with the question. */
  ipv4: readonly string[] | DnsFault;
  ipv6: readonly string[] | DnsFault;
  caa: NameRecords['caa'];
  /** More names, or other records for names. */
  names: Record<string, NameRecords>;
  /** What becomes of connections over each family, to port 443 and 80. */
  overIpv4: Reception;
  overIpv6: Reception;
  certificate: {
    names: readonly string[];
    /** First and last day, counted from today. */
    fromDay: number;
    toDay: number;
    /** Who signed it: the authority that is trusted by way of its intermediate, an unknown one, or the host itself. */
    signer: 'trusted' | 'unknown' | 'itself';
    sendsIntermediate: boolean;
  };
  tls: { least: SecureVersion; most: SecureVersion };
  http2: boolean;
  /** What port 80 does: redirects to https with the path, serves the site, or is closed. */
  http: 'redirects' | 'serves' | 'closed';
  /** What the name with `www.` does. `absent`: it has no address. */
  www: 'redirects' | 'serves' | 'absent';
  /** Answers instead of the server; false: it did not. The family is that which the request came over. */
  answer: ((request: IncomingMessage, response: ServerResponse, family: 4 | 6) => boolean) | null;
}

export interface OperatorHostOptions extends Partial<Virtues> {
  /** Default `loops.example`. */
  name?: string;
  /** Options of the reference server; its profile is `live` and its robots.txt the cured one unless given. */
  server?: ReferenceServerOptions;
}

export interface OperatorHost {
  name: string;
  virtues: Virtues;
  /** The server behind: `server.state` may be changed. */
  server: ReferenceServer;
  dns: OperatorDns;
  /** Every request, in order: `GET /api/v1/config`; over port 80 with the whole URL. */
  requests: readonly string[];
  /** Every connection that was opened: `93.184.215.14:443`. */
  dialled: readonly string[];
  connector: Connector;
  caPem: string;
  close(): Promise<void>;
}

/** Of all hosts, as making keys takes time. */
const authority = createCertificateAuthority('Operator test authority');
const intermediate = authority.createIntermediate('Operator test intermediate');
const unknown = createCertificateAuthority('An unknown authority');
const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const DAY_MS = 86_400_000;

/** Starts what a careful operator runs, until the test is over: the reference server behind a TLS front, with names of its own. */
export async function startOperatorHost(options: OperatorHostOptions = {}): Promise<OperatorHost> {
  const { name = 'loops.example', server: serverOptions, ...given } = options;
  const requests: string[] = [];
  const dialled: string[] = [];
  const virtues: Virtues = {
    ipv4: [IPV4],
    ipv6: [IPV6],
    caa: [{ tag: 'issue', value: 'letsencrypt.org' }],
    names: {},
    overIpv4: 'well',
    overIpv6: 'well',
    certificate: {
      names: [name, `www.${name}`],
      fromDay: -10,
      toDay: 80,
      signer: 'trusted',
      sendsIntermediate: true,
    },
    tls: { least: 'TLSv1.2', most: 'TLSv1.3' },
    http2: true,
    http: 'redirects',
    www: 'redirects',
    hsts: 'max-age=63072000; includeSubDomains',
    compresses: true,
    cacheControl: 'public, max-age=300',
    cors: true,
    headers: {},
    answer: null,
    ...given,
  };
  const server = await createReferenceServer({
    profile: 'live',
    url: `https://${name}`,
    robots: CURED_ROBOTS,
    ...serverOptions,
  });

  const serve = (request: IncomingMessage, response: ServerResponse, family: 4 | 6) => {
    requests.push(`${request.method} ${request.url}`);
    if (request.headers.host !== name && virtues.www === 'redirects') {
      withFrontHeaders(request, response, virtues);
      response.writeHead(301, { location: `https://${name}${request.url}` }).end();
      return;
    }
    if (virtues.answer?.(request, response, family) === true) return;
    withFrontHeaders(request, response, virtues);
    server.app.server.emit('request', request, response);
  };
  const servePlain = (request: IncomingMessage, response: ServerResponse, family: 4 | 6) => {
    if (virtues.http === 'serves') return serve(request, response, family);
    requests.push(`${request.method} http://${request.headers.host}${request.url}`);
    response.writeHead(301, { location: `https://${request.headers.host}${request.url}` }).end();
  };

  const sockets = new Set<Socket>();
  const listen = async (handle: (socket: Socket) => void): Promise<{ port: number; listener: Server }> => {
    const listener = createTcpServer((socket) => {
      sockets.add(socket);
      socket.on('close', () => sockets.delete(socket)).on('error', () => undefined);
      handle(socket);
    });
    listener.listen(0, '127.0.0.1');
    await once(listener, 'listening');
    return { port: (listener.address() as AddressInfo).port, listener };
  };
  const secured = (family: 4 | 6) => {
    let made: { by: string; emit: (socket: Socket) => void } | null = null;
    return (socket: Socket) => {
      const by = JSON.stringify([virtues.certificate, virtues.tls, virtues.http2]);
      if (made?.by !== by) made = { by, emit: createFront(virtues, (...exchange) => serve(...exchange, family)) };
      made.emit(socket);
    };
  };
  const received = (family: 4 | 6, handle: (socket: Socket) => void) => (socket: Socket) => {
    const reception = family === 4 ? virtues.overIpv4 : virtues.overIpv6;
    if (reception === 'reset') socket.once('data', () => socket.resetAndDestroy());
    else if (reception === 'silent') socket.resume();
    else handle(socket);
  };
  const plain = (family: 4 | 6) => {
    const front = createPlainServer((request, response) => servePlain(request, response, family));
    return (socket: Socket) => void front.emit('connection', socket);
  };
  const listeners = await Promise.all([
    listen(received(4, secured(4))),
    listen(received(6, secured(6))),
    listen(received(4, plain(4))),
    listen(received(6, plain(6))),
  ]);
  const [tls4, tls6, http4, http6] = listeners.map(({ port }) => port);
  const closed = await closedPort();
  const receptionOf = (family: 4 | 6) => (family === 4 ? virtues.overIpv4 : virtues.overIpv6);
  const connector: Connector = (to, port) => {
    const other = to.find(({ address }) => address !== IPV4 && address !== IPV6);
    // As Node has it: the first of the addresses that does not refuse, else the last.
    const hasRoute = ({ family }: HostAddress) => !['refused', 'unrouted'].includes(receptionOf(family));
    const taken = to.find(hasRoute) ?? to.at(-1);
    if (other !== undefined || taken === undefined) {
      dialled.push(`${other?.address}:${port}`);
      return new Socket().destroy(new Error(`${other?.address} was dialled`));
    }
    const { address, family } = taken;
    dialled.push(`${address}:${port}`);
    const reception = receptionOf(family);
    if (reception === 'unrouted')
      return new Socket().destroy(Object.assign(new Error('no route'), { code: 'ENETUNREACH' }));
    const isClosed = reception === 'refused' || (port === 80 && virtues.http === 'closed');
    const listening = { 443: family === 4 ? tls4 : tls6, 80: family === 4 ? http4 : http6 }[port];
    return connect({ host: '127.0.0.1', port: isClosed || listening === undefined ? closed : listening });
  };
  const dns = await startOperatorDns((asked) => {
    const own: NameRecords = { a: virtues.ipv4, aaaa: virtues.ipv6, caa: virtues.caa };
    if (Object.hasOwn(virtues.names, asked)) return virtues.names[asked];
    if (asked === name) return own;
    if (asked === `www.${name}` && virtues.www !== 'absent') return { ...own, caa: [] };
    // The names above exist, and have nothing.
    return name.endsWith(`.${asked}`) ? { a: [], aaaa: [], caa: [] } : undefined;
  });
  let closing: Promise<unknown> | null = null;
  const close = async () => {
    for (const socket of sockets) socket.destroy();
    closing ??= Promise.all([
      ...listeners.map(({ listener }) => new Promise((resolve) => listener.close(resolve))),
      dns.close(),
      server.close(),
    ]);
    await closing;
  };
  onTestFinished(close);
  return { name, virtues, server, dns, requests, dialled, connector, caPem: authority.certificate, close };
}

type Serve = (request: IncomingMessage, response: ServerResponse) => void;

/** A TLS server as the virtues have it now, that is given its connections. */
function createFront({ certificate, tls, http2 }: Virtues, serve: Serve): (socket: Socket) => void {
  const { names, fromDay, toDay, signer, sendsIntermediate } = certificate;
  const own = createCertificateAuthority(names[0] ?? '');
  const at = (day: number) => new Date(Date.now() + day * DAY_MS);
  const leaf = { names: [...names], publicKey: keys.publicKey, notBefore: at(fromDay), notAfter: at(toDay) };
  const signed = (signer === 'unknown' ? unknown : intermediate).issue(leaf);
  const chain = signer === 'trusted' && sendsIntermediate ? signed + intermediate.certificate : signed;
  const isOld = tls.least === 'TLSv1' || tls.least === 'TLSv1.1';
  const options = {
    key: signer === 'itself' ? own.privateKey : keys.privateKey.export({ type: 'pkcs8', format: 'pem' }),
    cert: signer === 'itself' ? own.certificate : chain,
    minVersion: tls.least,
    maxVersion: tls.most,
    ...(isOld ? { ciphers: 'DEFAULT@SECLEVEL=0' } : {}),
  };
  const front = http2 ? createSecureServer({ ...options, allowHTTP1: true }) : createSecureHttp1(options);
  front.on('tlsClientError', () => undefined).on('sessionError', () => undefined);
  front.on('request', (request, response) => serve(request as IncomingMessage, response as ServerResponse));
  return (socket) => front.emit('connection', socket);
}

async function closedPort(): Promise<number> {
  const listener = createTcpServer().listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const { port } = listener.address() as AddressInfo;
  listener.close();
  await once(listener, 'close');
  return port;
}

export interface CheckHostOptions extends CheckOptions, Partial<Omit<CheckParts, 'http' | 'identify' | 'questions'>> {
  robots?: 'standard' | 'strict' | 'off';
  /** The name to check, with a port if need be. Default: that of the host. */
  domain?: string;
  /** Is given what was gathered. */
  onEvidence?: (evidence: Evidence) => void;
  timeouts?: { connectMs?: number; responseMs?: number; visitMs?: number };
}

/**
 * Checks a host as the product does, through its name server and with nothing exempt from the address guard.
 *
 * @param options `rules` are what it is judged by; none unless given.
 */
export function checkHost(host: OperatorHost, options: CheckHostOptions = {}): Promise<Report> {
  const { domain = host.name, robots = 'standard', onEvidence, timeouts, only, skip, signal, ...parts } = options;
  const parse = parseDomain(domain, { allowSuffixes: ['example'] });
  if (!parse.ok) throw new Error(`${domain} is no domain: ${parse.detail}`);
  const dns = { servers: [host.dns.address], timeoutMs: 500 };
  const all: CheckParts = {
    http: {
      secureContext: createSecureContext({ ca: host.caPem }),
      guard: createAddressGuard([]),
      resolver: createResolver(dns),
      userAgent: 'Loopscout/0.0.0 (+https://loopscout.example)',
      connectMs: 2_000,
      responseMs: 2_000,
      visitMs: 10_000,
      ...timeouts,
      maxBodyBytes: 262_144,
      clock: () => performance.now(),
      connector: host.connector,
    },
    identify: { softwareId: 'loops', robots, allowSuffixes: ['example'], pause: async () => undefined },
    questions: createDnsQuestions(dns),
    now: Date.now,
    random: Math.random,
    newestVersion: null,
    viewsOf: () => [],
    rules: [],
    tool: 'Loopscout 0.0.0',
    ...parts,
  };
  const viewsOf: CheckParts['viewsOf'] = (evidence) => {
    onEvidence?.(evidence);
    return all.viewsOf(evidence);
  };
  return check(parse.domain, { ...all, viewsOf }, { only, skip, signal });
}

/** What a check of a host gathers. */
export async function gathered(host: OperatorHost, options: CheckHostOptions = {}): Promise<Evidence> {
  const { promise, resolve } = Promise.withResolvers<Evidence>();
  await checkHost(host, { ...options, onEvidence: resolve });
  return promise;
}
