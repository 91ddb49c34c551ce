import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { Packet, TCPServer, UDPServer } from 'dns2';
import { onTestFinished } from 'vitest';

/** DNS records of one name, or a fault in place of the records of a type. */
export interface NameRecords {
  a: readonly string[] | DnsFault;
  aaaa: readonly string[] | DnsFault;
  caa: readonly { flags?: number; tag: string; value: string }[] | DnsFault;
}
export type DnsFault = 'nxdomain' | 'servfail' | 'refused' | 'silent';

export interface OperatorDns {
  /** `ADDRESS:PORT`, for both UDP and TCP. */
  address: string;
  /** Received queries: `A loops.example`. */
  queries: string[];
  close(): Promise<void>;
}

type Send = (response: Packet) => unknown;
const { TYPE, CLASS, RCODE } = Packet;
const CODES = { nxdomain: RCODE.NXDOMAIN, servfail: RCODE.SERVFAIL, refused: RCODE.REFUSED };

/** Starts a DNS server. The root always exists. A name for which `recordsOf` returns undefined does not exist. */
export async function startOperatorDns(recordsOf: (name: string) => NameRecords | undefined): Promise<OperatorDns> {
  const queries: string[] = [];
  const answer = (request: Packet, send: Send) => {
    const [question] = request.questions;
    if (question === undefined) return;
    const name = question.name.toLowerCase();
    const type = Object.entries(TYPE).find(([, number]) => number === question.type)?.[0] ?? '';
    queries.push(`${type} ${name}`);
    const records = recordsOf(name);
    const response = Packet.createResponseFromRequest(request);
    const isRoot = name === '' || name === '.';
    const rowsOrFault = isRoot ? [] : records === undefined ? 'nxdomain' : toRows(records, question.type);
    if (rowsOrFault === 'silent') return;
    if (typeof rowsOrFault === 'string') response.header.rcode = CODES[rowsOrFault];
    else {
      response.answers = rowsOrFault.map(
        (row) => ({ name: question.name, type: question.type, class: CLASS.IN, ttl: 60, ...row }) as never,
      );
    }
    void Promise.resolve(send(response)).catch(() => undefined);
  };
  for (;;) {
    const tcp = new TCPServer();
    const udp = new UDPServer();
    const sockets = new Set<Socket>();
    tcp.on('connection', (socket: Socket) => {
      sockets.add(socket);
      socket.on('close', () => sockets.delete(socket)).on('error', () => undefined);
    });
    for (const server of [tcp, udp]) server.on('requestError', () => undefined).on('request', answer);
    tcp.listen(0, '127.0.0.1');
    await once(tcp, 'listening');
    const { port } = tcp.address() as AddressInfo;
    const close = async () => {
      for (const socket of sockets) socket.destroy();
      await Promise.all([
        new Promise((resolve) => tcp.close(resolve)),
        new Promise<void>((resolve) => udp.close(resolve)),
      ]);
    };
    const isUdpPortInUse = new Promise<boolean>((resolve) => {
      udp.once('error', () => resolve(true));
      udp.once('listening', () => resolve(false));
    });
    udp.bind(port, '127.0.0.1');
    if (!(await isUdpPortInUse)) return { address: `127.0.0.1:${port}`, queries, close };
    // The TCP port that the system chose is already in use for UDP: try another.
    tcp.close();
  }
}

/** The records of this type as dns2 sends them, or the fault in their place. */
function toRows({ a, aaaa, caa }: NameRecords, type: number): readonly object[] | DnsFault {
  if (type === TYPE.A) return typeof a === 'string' ? a : a.map((address) => ({ address }));
  if (type === TYPE.AAAA) return typeof aaaa === 'string' ? aaaa : aaaa.map((address) => ({ address }));
  if (type === TYPE.CAA) return typeof caa === 'string' ? caa : caa.map((record) => ({ flags: 0, ...record }));
  return [];
}

/** Like `startOperatorDns`, closed when the test finishes. */
export async function startOperatorDnsForTest(
  recordsOf: (name: string) => NameRecords | undefined,
): Promise<OperatorDns> {
  const dns = await startOperatorDns(recordsOf);
  onTestFinished(dns.close);
  return dns;
}
