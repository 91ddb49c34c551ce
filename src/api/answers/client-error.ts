import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { NEVER, PROBLEM_TYPE } from './answer.ts';
import { ProblemError } from './problem-error.ts';

const TOLD: Readonly<Record<string, [status: number, detail: string]>> = {
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request did not come in time.'],
  HPE_HEADER_OVERFLOW: [431, 'The request line and the headers are too large together.'],
};

/** Answers what is no HTTP request, or not yet, as a problem too. */
export function answerClientError({ code = '' }: { code?: string }, socket: Socket, common: readonly string[]): void {
  if (code === 'ECONNRESET' || socket.destroyed) return;
  const [status, detail] = TOLD[code] ?? [400, 'The request is not HTTP.'];
  const body = JSON.stringify(new ProblemError(status, detail).toProblem());
  const headers = [
    ...common,
    ...['content-type', PROBLEM_TYPE, 'content-length', String(Buffer.byteLength(body))],
    ...['cache-control', NEVER, 'connection', 'close'],
  ];
  const lines = headers.flatMap((name, index) => (index % 2 === 0 ? [`${name}: ${headers[index + 1]}`] : []));
  if (socket.writable)
    socket.write(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('\r\n')}\r\n\r\n${body}`);
  socket.destroy();
}
