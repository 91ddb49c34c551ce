import type { Socket } from 'node:net';
import { Packet, TCPServer, UDPServer } from 'dns2';
import type { DnsFault } from './kind.ts';

type Send = (response: Packet) => Promise<unknown> | undefined;

const { TYPE, CLASS, RCODE } = Packet;
const host = '127.0.0.1';
const answerTtlSeconds = 60;

const addressesOfFault: Partial<Record<DnsFault, string[]>> = {
  'no-address': [],
  'private-address': ['10.0.0.1'],
  'mixed-addresses': ['127.0.0.1', '10.0.0.1'],
};
const codeOfFault: Partial<Record<DnsFault, number>> = {
  nxdomain: RCODE.NXDOMAIN,
  servfail: RCODE.SERVFAIL,
  refused: RCODE.REFUSED,
};

/**
 * Starts the DNS server of a fleet. It answers with the A record 127.0.0.1 for each name of the fleet, and with NXDOMAIN for any
 * other name except the root, which always exists.
 * @param faultOf the fault of a name; undefined: none; null: unknown name.
 */
export async function startFleetDns(faultOf: (name: string) => DnsFault | undefined | null, requestedPort: number) {
  const answer = (request: Packet, send: Send) => {
    const [question] = request.questions;
    if (question === undefined) return;
    const fault = isRoot(question.name) ? 'no-address' : faultOf(question.name.toLowerCase());
    if (fault === 'silent') return;
    const response = Packet.createResponseFromRequest(request);
    response.header.aa = 1;
    response.header.rcode =
      fault === null ? RCODE.NXDOMAIN : fault === undefined ? RCODE.NOERROR : (codeOfFault[fault] ?? 0);
    if (fault !== null && response.header.rcode === RCODE.NOERROR && question.type === TYPE.A) {
      const records = (fault === undefined ? undefined : addressesOfFault[fault]) ?? [host];
      response.answers = records.map((address) =>
        Packet.createResourceFromQuestion(question, { class: CLASS.IN, ttl: answerTtlSeconds, address }),
      );
    }
    Promise.resolve(send(response)).catch(() => undefined);
  };

  const maxAttempts = 20;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await listenOnBoth(answer, requestedPort);
    } catch (error) {
      if (requestedPort !== 0 || attempt === maxAttempts) throw error;
    }
  }
}

/** Listens on one port with TCP and UDP. A port that the system chooses for TCP may be taken for UDP: the caller tries again. */
async function listenOnBoth(answer: (request: Packet, send: Send) => void, requestedPort: number) {
  const tcp = new TCPServer();
  const udp = new UDPServer();
  const sockets = new Set<Socket>();
  tcp.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  const close = async () => {
    for (const socket of sockets) socket.destroy();
    await Promise.all([
      new Promise<void>((resolve) => (tcp.listening ? tcp.close(() => resolve()) : resolve())),
      new Promise<void>((resolve) => udp.close(resolve)),
    ]);
  };
  for (const server of [tcp, udp]) server.on('requestError', () => undefined).on('request', answer);
  try {
    await new Promise<void>((resolve, reject) => {
      tcp.once('error', reject);
      tcp.listen(requestedPort, host, resolve);
    });
    const address = tcp.address();
    const port = typeof address === 'object' && address !== null ? address.port : requestedPort;
    await new Promise<void>((resolve, reject) => {
      udp.once('error', reject);
      udp.bind(port, host, resolve);
    });
    let closing: Promise<void> | undefined;
    return {
      /** For UDP and for TCP. */
      address: `${host}:${port}`,
      close: () => {
        closing ??= close();
        return closing;
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Whether this is the name of the root, which exists on every name server. */
function isRoot(name: string): boolean {
  return name === '' || name === '.';
}
