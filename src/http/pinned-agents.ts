import { type AgentOptions, Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { type ConnectionOptions, connect as connectTls, type SecureContext } from 'node:tls';
import { type Connector, type Dialing, dial } from './dial.ts';
import type { HostAddress } from './resolver.ts';

type Created = (error: Error | null, stream: Duplex) => void;

export interface PinnedAgentsOptions {
  secureContext: SecureContext;
  connector: Connector;
  /** The addresses that a host has been admitted at; none: nothing is connected to. */
  addressesOf: (host: string) => readonly HostAddress[];
}

/** The connection pools of one visit, which connect to admitted addresses and never look a name up. */
export interface PinnedAgents {
  agentFor(url: URL): { https: HttpsAgent } | { http: HttpAgent };
  /** Closes every connection, those in the making too. */
  destroy(): void;
}

export function createPinnedAgents({ secureContext, connector, addressesOf }: PinnedAgentsOptions): PinnedAgents {
  const dialings = new Set<Dialing>();
  let isDestroyed = false;

  /** Gives a socket at once when there is but one address, else the first of several that stands. */
  function open(host: string, port: number, onOpen: (socket: Socket) => Duplex, created: Created): Duplex | undefined {
    const addresses = addressesOf(host);
    const [first, ...others] = addresses;
    if (first === undefined || isDestroyed) {
      const problem = Object.assign(new Error(`${host} was not admitted`), { code: 'ECONNABORTED' });
      process.nextTick(() => created(problem, undefined as unknown as Duplex));
      return undefined;
    }
    if (others.length === 0) return onOpen(connector(first, port));
    const dialing = dial(addresses, port, connector);
    dialings.add(dialing);
    dialing.socket
      .then(
        (socket) => created(null, onOpen(socket)),
        (error: Error) => created(error, undefined as unknown as Duplex),
      )
      .finally(() => dialings.delete(dialing));
    return undefined;
  }

  const pool: AgentOptions = { keepAlive: true, maxSockets: 2 };
  const httpsAgent = new HttpsAgent({ ...pool, maxCachedSessions: 0 });
  httpsAgent.createConnection = ((options: ConnectionOptions, created: Created) => {
    const { host = '', port = 443, servername = host } = options;
    const secure = (socket: Socket) => {
      const secured = connectTls({ socket, servername, secureContext, ALPNProtocols: ['http/1.1'] });
      socket.once('error', (error) => secured.destroy(error));
      return secured;
    };
    return open(host, port, secure, created);
  }) as HttpsAgent['createConnection'];

  let httpAgent: HttpAgent | null = null;
  function plainAgent(): HttpAgent {
    const agent = new HttpAgent(pool);
    agent.createConnection = (({ host = '', port = 80 }: ConnectionOptions, created: Created) =>
      open(host, port, (socket) => socket, created)) as HttpAgent['createConnection'];
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
      for (const dialing of dialings) dialing.cancel();
      httpsAgent.destroy();
      httpAgent?.destroy();
    },
  };
}
