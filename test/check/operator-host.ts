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
import { AREAS, type Rule } from '../../src/check/rule.ts';
import { createAddressGuard } from '../../src/http/address-guard.ts';
import type { Connector } from '../../src/http/connect-tcp.ts';
import { createDnsQueries } from '../../src/http/dns-queries.ts';
import { createResolver, type HostAddress } from '../../src/http/resolver.ts';
import { parseDomain } from '../../src/model/domain/parse-domain.ts';
import { createReferenceServer, type ReferenceServer, type ReferenceServerOptions } from '../../src/reference/index.ts';
import { createCertificateAuthority } from '../../src/reference/tls/certificate-authority.ts';
import { visitContext } from '../identify/visit-context.ts';
import { freePort } from '../serve-http.ts';
import { RECOMMENDED_ROBOTS } from './evidence-of.ts';
import { type DnsFault, type NameRecords, type OperatorDns, startOperatorDns } from './operator-dns.ts';
import { applyFront, type FrontHeaders } from './operator-front.ts';

/** Public addresses. The connector routes them to the listeners of the host, and rejects all others. */
export const IPV4 = '93.184.215.14';
export const IPV6 = '2606:2800:21f:cb07:6820:80da:af6b:8b2c';

/**
 * How connections to an address are handled. `silent`: accepted, and never answered. `reset`: accepted, and reset when the first
 * bytes arrive. `unrouted`: this machine has no route to the address.
 */
export type Reception = 'accepted' | 'refused' | 'silent' | 'reset' | 'unrouted';

/** The behaviour of a host. It can be changed while the host runs; the next connection or request uses the new values. */
export interface HostBehaviour extends FrontHeaders {
  /** A, AAAA and CAA records of the name, or a fault. */
  ipv4: readonly string[] | DnsFault;
  ipv6: readonly string[] | DnsFault;
  caa: NameRecords['caa'];
  /** Records of additional names; overrides those of existing ones. */
  names: Record<string, NameRecords>;
  /** How connections over each family are handled, on ports 443 and 80. */
  overIpv4: Reception;
  overIpv6: Reception;
  certificate: {
    names: readonly string[];
    /** First and last day of validity, relative to today. */
    fromDay: number;
    toDay: number;
    /** The signer: the trusted authority through its intermediate, an unknown authority, or the host itself. */
    signer: 'trusted' | 'unknown' | 'itself';
    sendsIntermediate: boolean;
  };
  tls: { minVersion: SecureVersion; maxVersion: SecureVersion };
  http2: boolean;
  /** Port 80 redirects to https with the path, serves the site, or is closed. */
  http: 'redirects' | 'serves' | 'closed';
  /** The `www.` name redirects, serves the site, or has no address (`absent`). */
  www: 'redirects' | 'serves' | 'absent';
  /** Answers instead of the server unless it returns false. `family` is the address family of the request. */
  answer: ((request: IncomingMessage, response: ServerResponse, family: 4 | 6) => boolean) | null;
}

export interface OperatorHostOptions extends Partial<HostBehaviour> {
  /** Default `loops.example`. */
  name?: string;
  /** Options of the reference server; defaults: profile `live`, robots.txt `RECOMMENDED_ROBOTS`. */
  server?: ReferenceServerOptions;
}

export interface OperatorHost {
  name: string;
  behaviour: HostBehaviour;
  /** The reference server; `server.state` can be changed. */
  server: ReferenceServer;
  dns: OperatorDns;
  /** All requests, in order: `GET /api/v1/config`; for port 80 with the full URL. */
  requests: readonly string[];
  /** All connection attempts: `93.184.215.14:443`. */
  dialled: readonly string[];
  connector: Connector;
  caPem: string;
  close(): Promise<void>;
}

/** Shared by all hosts, because creating keys takes time. */
const authority = createCertificateAuthority('Operator test authority');
const intermediate = authority.createIntermediate('Operator test intermediate');
const unknownAuthority = createCertificateAuthority('An unknown authority');
const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const DAY_MS = 86_400_000;

/** Starts a well-run host, closed when the test finishes: the reference server behind a TLS proxy, with its own DNS server. */
export async function startOperatorHost(options: OperatorHostOptions = {}): Promise<OperatorHost> {
  const { name = 'loops.example', server: serverOptions, ...overrides } = options;
  const requests: string[] = [];
  const dialled: string[] = [];
  const behaviour: HostBehaviour = {
    ipv4: [IPV4],
    ipv6: [IPV6],
    caa: [{ tag: 'issue', value: 'letsencrypt.org' }],
    names: {},
    overIpv4: 'accepted',
    overIpv6: 'accepted',
    certificate: {
      names: [name, `www.${name}`],
      fromDay: -10,
      toDay: 80,
      signer: 'trusted',
      sendsIntermediate: true,
    },
    tls: { minVersion: 'TLSv1.2', maxVersion: 'TLSv1.3' },
    http2: true,
    http: 'redirects',
    www: 'redirects',
    hsts: 'max-age=63072000; includeSubDomains',
    compresses: true,
    cacheControl: 'public, max-age=300',
    cors: true,
    headers: {},
    answer: null,
    ...overrides,
  };
  const server = await createReferenceServer({
    profile: 'live',
    url: `https://${name}`,
    robots: RECOMMENDED_ROBOTS,
    ...serverOptions,
  });

  const serve = (request: IncomingMessage, response: ServerResponse, family: 4 | 6) => {
    requests.push(`${request.method} ${request.url}`);
    if (request.headers.host !== name && behaviour.www === 'redirects') {
      applyFront(request, response, behaviour);
      response.writeHead(301, { location: `https://${name}${request.url}` }).end();
      return;
    }
    if (behaviour.answer?.(request, response, family) === true) return;
    applyFront(request, response, behaviour);
    server.app.server.emit('request', request, response);
  };
  const servePlain = (request: IncomingMessage, response: ServerResponse, family: 4 | 6) => {
    if (behaviour.http === 'serves') return serve(request, response, family);
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
  const passToTls = (family: 4 | 6) => {
    // The TLS server is replaced when the behaviour that it was created with has changed.
    let created: { settings: string; emit: (socket: Socket) => void } | null = null;
    return (socket: Socket) => {
      const settings = JSON.stringify([behaviour.certificate, behaviour.tls, behaviour.http2]);
      if (created?.settings !== settings)
        created = { settings, emit: createTlsFront(behaviour, (...exchange) => serve(...exchange, family)) };
      created.emit(socket);
    };
  };
  /** Handles a connection as the reception of its family demands. */
  const receive = (family: 4 | 6, handle: (socket: Socket) => void) => (socket: Socket) => {
    const reception = family === 4 ? behaviour.overIpv4 : behaviour.overIpv6;
    if (reception === 'reset') socket.once('data', () => socket.resetAndDestroy());
    else if (reception === 'silent') socket.resume();
    else handle(socket);
  };
  const passToHttp = (family: 4 | 6) => {
    const front = createPlainServer((request, response) => servePlain(request, response, family));
    return (socket: Socket) => void front.emit('connection', socket);
  };
  const listeners = await Promise.all([
    listen(receive(4, passToTls(4))),
    listen(receive(6, passToTls(6))),
    listen(receive(4, passToHttp(4))),
    listen(receive(6, passToHttp(6))),
  ]);
  const [tls4, tls6, http4, http6] = listeners.map(({ port }) => port);
  const unusedPort = await freePort();
  const receptionOf = (family: 4 | 6) => (family === 4 ? behaviour.overIpv4 : behaviour.overIpv6);
  const connector: Connector = (to, port) => {
    const foreign = to.find(({ address }) => address !== IPV4 && address !== IPV6);
    // Like Node, connects to the first address that does not refuse, otherwise to the last.
    const isReachable = ({ family }: HostAddress) => !['refused', 'unrouted'].includes(receptionOf(family));
    const chosen = to.find(isReachable) ?? to.at(-1);
    if (foreign !== undefined || chosen === undefined) {
      dialled.push(`${foreign?.address}:${port}`);
      return new Socket().destroy(new Error(`${foreign?.address} must not be dialled`));
    }
    const { address, family } = chosen;
    dialled.push(`${address}:${port}`);
    const reception = receptionOf(family);
    if (reception === 'unrouted')
      return new Socket().destroy(Object.assign(new Error('no route'), { code: 'ENETUNREACH' }));
    const isClosed = reception === 'refused' || (port === 80 && behaviour.http === 'closed');
    const listeningPort = { 443: family === 4 ? tls4 : tls6, 80: family === 4 ? http4 : http6 }[port];
    return connect({ host: '127.0.0.1', port: isClosed || listeningPort === undefined ? unusedPort : listeningPort });
  };
  const dns = await startOperatorDns((queried) => {
    const hostRecords: NameRecords = { a: behaviour.ipv4, aaaa: behaviour.ipv6, caa: behaviour.caa };
    if (Object.hasOwn(behaviour.names, queried)) return behaviour.names[queried];
    if (queried === name) return hostRecords;
    if (queried === `www.${name}` && behaviour.www !== 'absent') return { ...hostRecords, caa: [] };
    // The parents of the name exist, but have no records.
    return name.endsWith(`.${queried}`) ? { a: [], aaaa: [], caa: [] } : undefined;
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
  return { name, behaviour, server, dns, requests, dialled, connector, caPem: authority.certificate, close };
}

type Serve = (request: IncomingMessage, response: ServerResponse) => void;

type Identity = { key: string; cert: string };
/** By certificate, as JSON. */
const identities = new Map<string, Identity>();
const keyPem = keys.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();

/** The key and the chain of a certificate; issued once, because signing takes time. */
function identityFor(certificate: HostBehaviour['certificate']): Identity {
  const known = identities.get(JSON.stringify(certificate));
  const identity = known ?? issueIdentity(certificate);
  identities.set(JSON.stringify(certificate), identity);
  return identity;
}

function issueIdentity({ names, fromDay, toDay, signer, sendsIntermediate }: HostBehaviour['certificate']): Identity {
  if (signer === 'itself') {
    const { privateKey, certificate } = createCertificateAuthority(names[0] ?? '');
    return { key: privateKey, cert: certificate };
  }
  const dateAt = (day: number) => new Date(Date.now() + day * DAY_MS);
  const leaf = { names: [...names], publicKey: keys.publicKey, notBefore: dateAt(fromDay), notAfter: dateAt(toDay) };
  const signed = (signer === 'unknown' ? unknownAuthority : intermediate).issue(leaf);
  return { key: keyPem, cert: signer === 'trusted' && sendsIntermediate ? signed + intermediate.certificate : signed };
}

/** Creates a TLS server with this behaviour. Returns the function that passes a connection to it. */
function createTlsFront(behaviour: HostBehaviour, serve: Serve): (socket: Socket) => void {
  const { certificate, tls, http2 } = behaviour;
  const identity = identityFor(certificate);
  const hasOldTls = tls.minVersion === 'TLSv1' || tls.minVersion === 'TLSv1.1';
  const options = {
    ...identity,
    minVersion: tls.minVersion,
    maxVersion: tls.maxVersion,
    ...(hasOldTls ? { ciphers: 'DEFAULT@SECLEVEL=0' } : {}),
  };
  const front = http2 ? createSecureServer({ ...options, allowHTTP1: true }) : createSecureHttp1(options);
  front.on('tlsClientError', () => undefined).on('sessionError', () => undefined);
  front.on('request', (request, response) => serve(request as IncomingMessage, response as ServerResponse));
  // A server of the application asks for the body; a web server in front may answer at once.
  front.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    if (behaviour.answer === null) response.writeContinue();
    serve(request, response);
  });
  return (socket) => front.emit('connection', socket);
}

export interface CheckHostOptions extends CheckOptions, Partial<Omit<CheckParts, 'http' | 'identify' | 'dnsQueries'>> {
  robots?: 'standard' | 'strict' | 'off';
  /** Domain to check, with an optional port. Default: the host's name. */
  domain?: string;
  timeouts?: { connectMs?: number; responseMs?: number; visitMs?: number };
}

/**
 * Checks a host as the command does. Names are resolved by the DNS server of the host, and the address guard exempts no address.
 *
 * @param options `rules`: the rules to apply; none by default.
 */
export function checkHost(host: OperatorHost, options: CheckHostOptions = {}): Promise<Report> {
  const {
    domain = host.name,
    robots = 'standard',
    timeouts,
    only,
    skip,
    signal,
    isForOperator = true,
    ...parts
  } = options;
  const parse = parseDomain(domain, { allowSuffixes: ['example'] });
  if (!parse.ok) throw new Error(`${domain} is not a domain: ${parse.detail}`);
  const dns = { servers: [host.dns.address], timeoutMs: 2_000 };
  const checkParts: CheckParts = {
    http: {
      secureContext: createSecureContext({ ca: host.caPem }),
      guard: createAddressGuard([]),
      resolver: createResolver(dns),
      userAgent: 'Loopscout/0.0.0 (+https://loopscout.example)',
      connectMs: 10_000,
      responseMs: 10_000,
      visitMs: 10_000,
      ...timeouts,
      maxBodyBytes: 262_144,
      clock: () => performance.now(),
      connector: host.connector,
    },
    context: visitContext({ robots }),
    dnsQueries: createDnsQueries(dns),
    now: Date.now,
    random: Math.random,
    newestVersion: null,
    viewsOf: () => [],
    rules: [],
    tool: 'Loopscout 0.0.0',
    ...parts,
  };
  return check(parse.domain, checkParts, { only, skip, signal, isForOperator });
}

/** A rule with empty texts. */
export const ruleOf = (id: string, judge: Rule['judge']): Rule => ({
  id,
  worst: 'fail',
  title: `${id} holds`,
  checks: '',
  why: '',
  sources: [],
  cure: '',
  judge,
});

/** Checks a host and returns the gathered evidence; with `only`, that of these areas. */
export async function gatherFrom(host: OperatorHost, options: CheckHostOptions = {}): Promise<Evidence> {
  const { promise, resolve } = Promise.withResolvers<Evidence>();
  const witnesses = AREAS.map((area) =>
    ruleOf(`${area}-witness`, (evidence) => {
      resolve(evidence);
      return null;
    }),
  );
  await checkHost(host, { ...options, rules: witnesses });
  return promise;
}
