import type { Socket } from 'node:net';
import type { Waits } from './spoil-answer.ts';
import type { Reset, Wire } from './wire.ts';

/** So long after the last bytes a connection is reset: they must have arrived, or the reset would take them back. */
const resetAfterMs = 20;

/** Writes an answer to a connection, piece by piece; ends early when the connection does. */
export function sendWire(socket: Socket, { pieces, everyMs, ending }: Wire, waits: Waits, reset: Reset): void {
  const finish = () => {
    if (ending === 'end') socket.end();
    if (ending === 'reset') waits.after(resetAfterMs, () => reset(socket));
  };
  const write = (index: number): void => {
    if (socket.destroyed) return;
    const piece = pieces[index];
    if (piece === undefined) {
      finish();
      return;
    }
    socket.write(piece);
    if (everyMs === 0 || index + 1 === pieces.length) write(index + 1);
    else waits.after(everyMs, () => write(index + 1));
  };
  write(0);
}
