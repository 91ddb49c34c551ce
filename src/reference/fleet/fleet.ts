import { createServer as createPlainServer, type Server as PlainServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { Delay } from '../faults/fault-rule.ts';
import { createRawConnections } from '../faults/wire.ts';
import { checkJson } from '../options/json-file.ts';
import type { ReferenceState } from '../state.ts';
import { type CaFile, writeCaFile } from '../tls/ca-file.ts';
import { OldProtocol, protocolOptions } from '../tls/tls-fault.ts';
import { createConnectionRouter } from './connection-router.ts';
import { FleetFile } from './fleet-file.ts';
import { createFleetInterface } from './fleet-interface.ts';
import { type Mix, type PlannedHost, planFile, planHosts } from './host-plan.ts';
import { createHostTable, type FleetHost } from './host-table.ts';
import { findRowProblems, readFleetFile } from './read-fleet-file.ts';
import { createRequestLog, type RequestLog } from './request-log.ts';

export interface FleetOptions {
  /** A fleet file or its path. It lists the hosts, so `hosts` and `mix` must be left out. */
  file?: FleetFile | string;
  /** Number of hosts. Default 240, enough for every kind of the default mix. */
  hosts?: number;
  /** The same seed gives the same hosts, kinds and facts. Default 1. */
  seed?: number;
  /** Weights by kind. Default: all kinds except those that cause time-outs. */
  mix?: Mix;
  /** Suffix of all names. Default `example`. */
  tld?: string;
  /** Port of all hosts. Default 0: any free port. */
  port?: number;
  /** Port of the DNS server. Default 0: any free port. */
  dnsPort?: number;
  /** Milliseconds before each HTTP answer: fixed, or drawn from a range. Default 0. */
  delayMs?: Delay;
  /** Whether requests are logged. Default true. */
  log?: boolean;
}

export interface Fleet extends AsyncDisposable {
  /** Port of all hosts on 127.0.0.1. */
  readonly port: number;
  /** The certificate of the authority to trust, PEM. */
  readonly caPem: string;
  /** A file with `caPem` that exists while the fleet runs. */
  readonly caFile: string;
  /** `ADDRESS:PORT` of the DNS server, UDP and TCP. */
  readonly dnsServer: string;
  readonly hosts: readonly FleetHost[];
  /** The state of a host, which may be changed while it runs; undefined when the host is unknown or not a Loops server. */
  stateOf(domain: string): ReferenceState | undefined;
  readonly requests: RequestLog;
  /** Stops everything and removes `caFile`. Idempotent. */
  close(): Promise<void>;
}

const cachedContexts = 500;

/**
 * Starts many virtual TLS hosts on one loopback port, with their own DNS server and certificate authority.
 * @throws when it cannot listen on a port, or the mix is invalid.
 * @throws {JsonFileError} when the fleet file is invalid; it lists every problem.
 */
export async function createFleet(options: FleetOptions = {}): Promise<Fleet> {
  const { plan, file } = planOf(options);
  let port = 0;
  const delayMs = options.delayMs ?? file?.delayMs ?? 0;
  const hosts = createHostTable({ plan, delayMs, port: () => port });
  // Loaded here, because a single server needs neither.
  const { createSecureContexts } = await import('../tls/secure-contexts.ts');
  const { startFleetDns } = await import('./fleet-dns.ts');
  const contexts = createSecureContexts(cachedContexts);
  const connections = createRawConnections();
  const requests = createRequestLog();
  const plainServer = createPlainServer();
  const createHostsServer = (protocol?: OldProtocol) => {
    const server = createTlsServer({
      ...protocolOptions(protocol),
      SNICallback: (name, done) => {
        const { certificateNames = [name], certificate } = hosts.find(name) ?? {};
        done(null, contexts.contextFor(certificateNames, certificate, protocol));
      },
    });
    connections.watch(server);
    return server;
  };
  const tlsServer = createHostsServer();
  const oldTlsServers = new Map<OldProtocol, PlainServer>(
    OldProtocol.options.map((version) => [version, createHostsServer(version)]),
  );
  const router = createConnectionRouter({
    plain: plainServer,
    tlsFor: (name) => oldTlsServers.get(hosts.find(name)?.protocol as OldProtocol) ?? tlsServer,
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
      for (const server of [plainServer, ...oldTlsServers.values()]) server.on('request', handler);
      return tlsServer.on('request', handler);
    },
  });
  let caFile: CaFile | undefined;
  const closeFunctions: (() => Promise<unknown>)[] = [];
  const close = async () => {
    await Promise.all(closeFunctions.map((closeOne) => closeOne()));
    hosts[Symbol.dispose]();
    await caFile?.remove();
  };
  try {
    caFile = await writeCaFile(contexts.authority);
    await app.ready();
    closeFunctions.push(() => app.close(), router.close);
    port = await router.listen(options.port ?? file?.port ?? 0, '127.0.0.1');
    const dns = await startFleetDns(
      (name) => {
        const host = hosts.find(name);
        return host === undefined ? null : host.dns;
      },
      options.dnsPort ?? file?.dnsPort ?? 0,
    );
    closeFunctions.push(dns.close);
    return {
      port,
      caPem: contexts.authority,
      caFile: caFile.path,
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
    throw new Error('A fleet file lists the hosts; leave out "hosts" and "mix".');
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
