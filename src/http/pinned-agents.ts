import type { X509Certificate } from 'node:crypto';
import type { Agent, AgentOptions } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { TcpNetConnectOpts } from 'node:net';
import type { Duplex } from 'node:stream';
import {
  type ConnectionOptions,
  checkServerIdentity,
  connect as connectTls,
  type DetailedPeerCertificate,
  type PeerCertificate,
  type SecureContext,
  type TLSSocket,
} from 'node:tls';
import type { AddressGuard } from './address-guard.ts';
import { type Connector, connectTcp, pinnedTo } from './connect-tcp.ts';
import { HttpAgent } from './node-http.ts';
import type { HostAddress } from './resolver.ts';

type ConnectionCallback = (error: Error | null, stream: Duplex) => void;

export interface PinnedAgentsOptions {
  secureContext: SecureContext;
  connector: Connector;
  /** The admitted addresses of each host, which the guard judges once more directly before the connection. */
  pinned: ReadonlyMap<string, readonly HostAddress[]>;
  guard: AddressGuard;
  /** Receives the certificate of each host, valid or not. */
  certificates: Map<string, X509Certificate>;
  /** Receives the address of each host whose TLS handshake was completed. */
  answered: Map<string, string>;
}

export type PinnedAgents = ReturnType<typeof createPinnedAgents>;

/** The connection pools of one visit. They connect to admitted addresses only and never resolve a name. */
export function createPinnedAgents(options: PinnedAgentsOptions) {
  const { secureContext, connector, pinned, guard, certificates, answered } = options;
  let isDestroyed = false;

  function open(
    host: string,
    connectTo: (addresses: readonly HostAddress[]) => Duplex,
    callback: ConnectionCallback,
  ): Duplex | undefined {
    const addresses = (pinned.get(host) ?? []).filter(({ address }) => guard(address) === null);
    if (addresses.length > 0 && !isDestroyed) return connectTo(addresses);
    const problem = Object.assign(new Error(`${host} was not admitted`), { code: 'ECONNABORTED' });
    process.nextTick(() => callback(problem, undefined as unknown as Duplex));
    return undefined;
  }

  const pool: AgentOptions = { keepAlive: true, maxSockets: 2 };
  const httpsAgent = new HttpsAgent({ ...pool, maxCachedSessions: 0 });
  // All its connections have the same TLS options, which the name of a pool need not hold.
  httpsAgent.getName = HttpAgent.prototype.getName;
  httpsAgent.createConnection = ((options: ConnectionOptions, callback: ConnectionCallback) => {
    const { host = '', port = 443, servername = host } = options;
    const secure = (transport: Pick<ConnectionOptions, 'socket'> | TcpNetConnectOpts) => {
      const secured = connectTls({
        ...transport,
        servername,
        secureContext,
        ALPNProtocols: ['http/1.1'],
        // The certificate must match `host`: a literal address has no server name, and Node may check another name then.
        checkServerIdentity: () => {
          const problem = identityProblem(host, keepCertificate());
          if (problem === undefined && secured.remoteAddress !== undefined) answered.set(host, secured.remoteAddress);
          return problem;
        },
      });
      // Node calls this for the check. It would parse every certificate of the chain, which costs as much as a request.
      secured.getPeerCertificate = () => ({}) as PeerCertificate & DetailedPeerCertificate;
      let certificate: X509Certificate | undefined;
      const keepCertificate = () => {
        // A second call would return the next certificate of the chain.
        certificate ??= secured.getPeerX509Certificate();
        if (certificate !== undefined) certificates.set(host, certificate);
        return certificate;
      };
      onRejectedCertificate(secured, keepCertificate);
      return secured;
    };
    // Equivalent to TLS over the socket of `connectTcp`, but with one socket instead of two: saves a tenth of the CPU of a visit.
    const connectTo = (addresses: readonly HostAddress[]) => {
      if (connector === connectTcp) return secure(pinnedTo(addresses, port));
      const socket = connector(addresses, port);
      const secured = secure({ socket });
      socket.once('error', (error) => secured.destroy(error));
      return secured;
    };
    return open(host, connectTo, callback);
  }) as HttpsAgent['createConnection'];

  let httpAgent: Agent | null = null;
  function plainAgent(): Agent {
    const agent = new HttpAgent(pool);
    agent.createConnection = (({ host = '', port = 80 }: ConnectionOptions, callback: ConnectionCallback) =>
      open(host, (addresses) => connector(addresses, port), callback)) as Agent['createConnection'];
    return agent;
  }

  return {
    agentFor: (url: URL): Agent => {
      if (url.protocol === 'https:') return httpsAgent;
      httpAgent ??= plainAgent();
      return httpAgent;
    },
    /** Closes every connection, including those being opened. */
    destroy: () => {
      isDestroyed = true;
      httpsAgent.destroy();
      httpAgent?.destroy();
    },
  };
}

/** Node sets `secureConnecting` on a TLS socket until its handshake ends; its types omit the property. */
export function isHandshaking(socket: TLSSocket): boolean {
  return (socket as { secureConnecting?: boolean }).secureConnecting === true;
}

/** Why a certificate is not for a host. OpenSSL is asked first, and accepts no more than Node, which makes a text of every name. */
function identityProblem(host: string, certificate: X509Certificate | undefined): Error | undefined {
  if (certificate?.checkHost(host, { subject: 'never', partialWildcards: false }) !== undefined) return undefined;
  return checkServerIdentity(host, certificate?.toLegacyObject() ?? ({} as PeerCertificate));
}

/** Node discards a rejected certificate when it destroys the socket, before any event fires, so it is read just before. */
function onRejectedCertificate(secured: TLSSocket, keep: () => void): void {
  const destroy = secured.destroy;
  secured.destroy = (error) => {
    if (error !== undefined && isHandshaking(secured)) keep();
    return destroy.call(secured, error);
  };
}
