import { createSocket } from 'node:dgram';

/** Public name servers, to which nothing is sent: that a datagram socket can be aimed at an address is what having a route means. */
const SOMEWHERE = { 4: '8.8.8.8', 6: '2001:4860:4860::8888' } as const;

/** Whether this machine has a route to the public addresses of a family. Sends nothing. */
export function hasRoute(family: 4 | 6): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = createSocket(family === 4 ? 'udp4' : 'udp6');
  const end = (has: boolean) => {
    resolve(has);
    socket.close();
  };
  socket.once('error', () => end(false));
  socket.connect(53, SOMEWHERE[family], () => end(true));
  return promise;
}
