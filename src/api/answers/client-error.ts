import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { NEVER, PROBLEM_TYPE } from './answer.ts';
import { ProblemError } from './problem-error.ts';

const PROBLEMS: Readonly<Record<string, [status: number, detail: string]>> = {
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request did not come in time.'],
  HPE_HEADER_OVERFLOW: [431, 'The request line and the headers are too large together.'],
};

/** Answers bytes that never became an HTTP request with a problem too. */
export function answerClientError({ code = '' }: { code?: string }, socket: Socket): void {
  if (code === 'ECONNRESET' || socket.destroyed) return;
  const [status, detail] = PROBLEMS[code] ?? [400, 'The request is not HTTP.'];
  const body = JSON.stringify(new ProblemError(status, detail).toProblem());
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    `content-type: ${PROBLEM_TYPE}`,
    `content-length: ${Buffer.byteLength(body)}`,
    `cache-control: ${NEVER}`,
    'connection: close',
  ];
  if (socket.writable) socket.write(`${lines.join('\r\n')}\r\n\r\n${body}`);
  socket.destroy();
}
