import { createServer as createPlainServer, type Server as PlainServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { Delay } from '../faults/fault-rule.ts';
import { createRawConnections } from '../faults/wire.ts';
import { checkJson } from '../options/json-file.ts';
import type { ReferenceState } from '../state.ts';
import { type CaFile, writeCaFile } from '../tls/certificate-authority.ts';
import { createSecureContexts, OldProtocol, protocolOptions } from '../tls/secure-contexts.ts';
import { createConnectionRouter } from './connection-router.ts';
import { startFleetDns } from './fleet-dns.ts';
import { FleetFile } from './fleet-file.ts';
import { createFleetInterface } from './fleet-interface.ts';
import { type Mix, type PlannedHost, planFile, planHosts } from './host-plan.ts';
import { createHostTable, type FleetHost } from './host-table.ts';
import { findRowProblems, readFleetFile } from './read-fleet-file.ts';
import { createRequestLog, type RequestLog } from './request-log.ts';

export interface FleetOptions {
  /** A fleet file, or its path: it says which hosts there are, and takes the place of `hosts` and `mix`. */
  file?: FleetFile | string;
  /** How many hosts. Default 240, enough for every kind of the default mix. */
  hosts?: number;
  /** The same seed gives the same hosts, kinds and facts. Default 1. */
  seed?: number;
  /** Kinds and their weights; default: every kind, but for those that cost a visitor a time-out. */
  mix?: Mix;
  /** What all names end in. Default `example`. */
  tld?: string;
  /** Port of all hosts. Default 0: a free one. */
  port?: number;
  /** Port of the name server. Default 0: a free one. */
  dnsPort?: number;
  /** Milliseconds before each HTTP answer: always the same, or drawn from a range for each. Default 0. */
  delayMs?: Delay;
  /** Whether requests are logged. Default true. */
  log?: boolean;
}

export interface Fleet extends AsyncDisposable {
  /** Port on 127.0.0.1 where all hosts listen. */
  readonly port: number;
  /** The certificate of the fleet's authority, PEM, and a file that holds it as long as the fleet runs. */
  readonly caPem: string;
  readonly caFile: string;
  /** `ADDRESS:PORT` of the name server, UDP and TCP. */
  readonly dnsServer: string;
  readonly hosts: readonly FleetHost[];
  /** The state of a host, to change while it runs; undefined for one that is no Loops server, or not of this fleet. */
  stateOf(domain: string): ReferenceState | undefined;
  readonly requests: RequestLog;
  /** Stops everything and removes `caFile`. May be called again. */
  close(): Promise<void>;
}

const keptContexts = 500;

/**
 * Starts many virtual hosts over TLS on one loopback listener, with a name server and a certificate authority of their own.
 * @throws when a port cannot be listened on, or the mix is wrong.
 * @throws {JsonFileError} when the fleet file cannot be used; it names everything wrong with it.
 */
export async function createFleet(options: FleetOptions = {}): Promise<Fleet> {
  const { plan, file } = planOf(options);
  let port = 0;
  const delayMs = options.delayMs ?? file?.delayMs ?? 0;
  const hosts = createHostTable({ plan, delayMs, port: () => port });
  const contexts = createSecureContexts(keptContexts);
  const connections = createRawConnections();
  const requests = createRequestLog();
  const plain = createPlainServer();
  const createSecure = (protocol?: OldProtocol) => {
    const server = createTlsServer({
      ...protocolOptions(protocol),
      SNICallback: (name, done) => done(null, contexts.contextFor(name, hosts.find(name)?.certificate, protocol)),
    });
    connections.watch(server);
    return server;
  };
  const tls = createSecure();
  const old = new Map<OldProtocol, PlainServer>(OldProtocol.options.map((version) => [version, createSecure(version)]));
  const router = createConnectionRouter({
    plain,
    tlsFor: (name) => old.get(hosts.find(name)?.protocol as OldProtocol) ?? tls,
    faultOf: (name) => {
      const host = hosts.find(name);
      return host === undefined ? null : host.connection;
    },
  });
  const app = createFleetInterface({
    hosts,
    log: options.log === false ? null : requests,
    reset: connections.reset,
    serverFactory: (handler) => {
      for (const server of [plain, ...old.values()]) server.on('request', handler);
      return tls.on('request', handler);
    },
  });
  let authority: CaFile | undefined;
  const started: (() => Promise<unknown>)[] = [];
  const close = async () => {
    await Promise.all(started.map((stop) => stop()));
    hosts[Symbol.dispose]();
    await authority?.remove();
  };
  try {
    authority = await writeCaFile(contexts.authority);
    await app.ready();
    started.push(() => app.close(), router.close);
    port = await router.listen(options.port ?? file?.port ?? 0, '127.0.0.1');
    const dns = await startFleetDns(
      (name) => {
        const host = hosts.find(name);
        return host === undefined ? null : host.dns;
      },
      options.dnsPort ?? file?.dnsPort ?? 0,
    );
    started.push(dns.close);
    return {
      port,
      caPem: contexts.authority,
      caFile: authority.path,
      dnsServer: dns.address,
      hosts: hosts.describe(),
      stateOf: (domain) => hosts.find(nameOf(domain))?.site.state,
      requests,
      close,
      [Symbol.asyncDispose]: close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

function planOf(options: FleetOptions): { plan: PlannedHost[]; file?: FleetFile } {
  const { hosts = 240, mix } = options;
  if (options.file === undefined) {
    return { plan: planHosts(hosts, options.seed ?? 1, options.tld ?? 'example', mix) };
  }
  if (options.hosts !== undefined || mix !== undefined) {
    throw new Error('A fleet of a file has its hosts from there; leave out "hosts" and "mix".');
  }
  const name = typeof options.file === 'string' ? options.file : 'the fleet file';
  const file =
    typeof options.file === 'string' ? readFleetFile(name) : checkJson(name, options.file, FleetFile, findRowProblems);
  const { seed = file.seed ?? 1, tld = file.tld ?? 'example' } = options;
  return { plan: planFile(name, file, seed, tld), file };
}

function nameOf(domain: string): string {
  return domain.replace(/:\d+$/, '').toLowerCase();
}
