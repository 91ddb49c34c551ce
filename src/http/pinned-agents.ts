import { type AgentOptions, Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { TcpNetConnectOpts } from 'node:net';
import type { Duplex } from 'node:stream';
import {
  type ConnectionOptions,
  checkServerIdentity,
  connect as connectTls,
  type PeerCertificate,
  type SecureContext,
  type TLSSocket,
} from 'node:tls';
import { type Connector, connectTcp, pinnedTo } from './connect-tcp.ts';
import type { HostAddress } from './resolver.ts';

type Created = (error: Error | null, stream: Duplex) => void;

export interface PinnedAgentsOptions {
  secureContext: SecureContext;
  connector: Connector;
  /** The addresses that a host has been admitted at; none: nothing is connected to. */
  addressesOf: (host: string) => readonly HostAddress[];
  /** Is shown every certificate that a host comes with, good or bad. */
  onCertificate: (host: string, certificate: PeerCertificate) => void;
}

/** The connection pools of one visit, which connect to admitted addresses and never look a name up. */
export interface PinnedAgents {
  agentFor(url: URL): { https: HttpsAgent } | { http: HttpAgent };
  /** Closes every connection, those in the making too. */
  destroy(): void;
}

export function createPinnedAgents(options: PinnedAgentsOptions): PinnedAgents {
  const { secureContext, connector, addressesOf, onCertificate } = options;
  let isDestroyed = false;

  function open(
    host: string,
    connectTo: (addresses: readonly HostAddress[]) => Duplex,
    created: Created,
  ): Duplex | undefined {
    const addresses = addressesOf(host);
    if (addresses.length > 0 && !isDestroyed) return connectTo(addresses);
    const problem = Object.assign(new Error(`${host} was not admitted`), { code: 'ECONNABORTED' });
    process.nextTick(() => created(problem, undefined as unknown as Duplex));
    return undefined;
  }

  const pool: AgentOptions = { keepAlive: true, maxSockets: 2 };
  const httpsAgent = new HttpsAgent({ ...pool, maxCachedSessions: 0 });
  httpsAgent.createConnection = ((options: ConnectionOptions, created: Created) => {
    const { host = '', port = 443, servername = host } = options;
    const secure = (way: Pick<ConnectionOptions, 'socket'> | TcpNetConnectOpts) => {
      const secured = connectTls({
        ...way,
        servername,
        secureContext,
        ALPNProtocols: ['http/1.1'],
        // Node has read the certificate for this check already; reading it again would cost as much as a request.
        // The host is what it must name: for a literal address there is no server name, and Node may check another.
        checkServerIdentity: (_name, certificate) => {
          onCertificate(host, certificate);
          return checkServerIdentity(host, certificate);
        },
      });
      whenRefused(secured, (certificate) => onCertificate(host, certificate));
      return secured;
    };
    // What `connectTcp` and TLS over it would do, with one socket in place of two, which is a tenth of the cost of a visit.
    const connectTo = (addresses: readonly HostAddress[]) => {
      if (connector === connectTcp) return secure(pinnedTo(addresses, port));
      const socket = connector(addresses, port);
      const secured = secure({ socket });
      socket.once('error', (error) => secured.destroy(error));
      return secured;
    };
    return open(host, connectTo, created);
  }) as HttpsAgent['createConnection'];

  let httpAgent: HttpAgent | null = null;
  function plainAgent(): HttpAgent {
    const agent = new HttpAgent(pool);
    agent.createConnection = (({ host = '', port = 80 }: ConnectionOptions, created: Created) =>
      open(host, (addresses) => connector(addresses, port), created)) as HttpAgent['createConnection'];
    return agent;
  }

  return {
    agentFor: (url) => {
      if (url.protocol === 'https:') return { https: httpsAgent };
      httpAgent ??= plainAgent();
      return { http: httpAgent };
    },
    destroy: () => {
      isDestroyed = true;
      httpsAgent.destroy();
      httpAgent?.destroy();
    },
  };
}

/** Node sets `secureConnecting` on a TLS socket until its handshake is over; its types leave the property out. */
export function isHandshaking(socket: TLSSocket): boolean {
  return (socket as { secureConnecting?: boolean }).secureConnecting === true;
}

/** Node ends a connection whose certificate it refuses before anybody is told, and with it goes the certificate: look just before. */
function whenRefused(secured: TLSSocket, look: (certificate: PeerCertificate) => void): void {
  const destroy = secured.destroy;
  secured.destroy = (error) => {
    if (error !== undefined && isHandshaking(secured)) look(secured.getPeerCertificate());
    return destroy.call(secured, error);
  };
}
