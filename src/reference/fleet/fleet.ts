import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer as createPlainServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createConnectionRouter } from './connection-router.ts';
import { startFleetDns } from './fleet-dns.ts';
import { createFleetInterface } from './fleet-interface.ts';
import { type Mix, planHosts } from './host-plan.ts';
import { createHostTable, type FleetHost } from './host-table.ts';
import { createRequestLog, type RequestLog } from './request-log.ts';
import { createSecureContexts } from './secure-contexts.ts';

export interface FleetOptions {
  /** How many hosts. Default 160, enough for every kind of the default mix. */
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
  delayMs?: number | readonly [least: number, most: number];
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
  readonly requests: RequestLog;
  /** Stops everything and removes `caFile`. May be called again. */
  close(): Promise<void>;
}

const keptContexts = 500;

/**
 * Starts many virtual hosts over TLS on one loopback listener, with a name server and a certificate authority of their own.
 * @throws when a port cannot be listened on, or the mix is wrong.
 */
export async function createFleet(options: FleetOptions = {}): Promise<Fleet> {
  const { hosts: count = 160, seed = 1, tld = 'example', mix, delayMs = 0 } = options;
  let port = 0;
  const table = createHostTable(planHosts(count, seed, tld, mix), () => port);
  const contexts = createSecureContexts(keptContexts);
  const requests = createRequestLog();
  const tls = createTlsServer({
    SNICallback: (name, done) => done(null, contexts.contextFor(name, table.find(name)?.kind.certificate)),
  });
  const plain = createPlainServer();
  const router = createConnectionRouter({
    tls,
    plain,
    faultOf: (name) => {
      const host = table.find(name);
      return host === undefined ? null : host.kind.connection;
    },
  });
  const app = createFleetInterface({
    hosts: table,
    log: options.log === false ? null : requests,
    delayMs,
    reset: router.reset,
    serverFactory: (handler) => {
      plain.on('request', handler);
      return tls.on('request', handler);
    },
  });
  const folder = await mkdtemp(join(tmpdir(), 'loops-fleet-'));
  const caFile = join(folder, 'ca.pem');
  const dnsFaultOf = (name: string) => {
    const host = table.find(name);
    return host === undefined ? null : host.kind.dns;
  };
  const started: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true, force: true })];
  const close = async () => {
    await Promise.all(started.map((stop) => stop()));
  };
  try {
    await writeFile(caFile, contexts.authority);
    await app.ready();
    started.push(() => app.close(), router.close);
    port = await router.listen(options.port ?? 0, '127.0.0.1');
    const dns = await startFleetDns(dnsFaultOf, options.dnsPort ?? 0);
    started.push(dns.close);
    return {
      port,
      caPem: contexts.authority,
      caFile,
      dnsServer: dns.address,
      hosts: table.describe(),
      requests,
      close,
      [Symbol.asyncDispose]: close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
