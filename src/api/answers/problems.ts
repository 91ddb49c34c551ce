import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { z } from 'zod';
import { DirectoryNotReadError } from '../../directory/directory.ts';
import { StoreError } from '../../store/sqlite/store-error.ts';
import { NO_STORE, PROBLEM_TYPE } from './answer.ts';

/** Problem details (RFC 9457). */
export const Problem = z
  .object({
    type: z.literal('about:blank').meta({ description: 'The status identifies the kind of problem.' }),
    title: z.string().meta({ description: 'Name of the status.' }),
    status: z.int().meta({ description: 'HTTP status.' }),
    detail: z.string().meta({ description: 'What is wrong with this request, as a sentence.' }),
    errors: z
      .array(
        z.object({
          parameter: z.string().meta({ description: 'Name of the parameter.' }),
          detail: z.string().meta({ description: 'What is wrong with it, or what is expected.' }),
        }),
      )
      .optional()
      .meta({ description: 'The invalid parameters.' }),
  })
  .meta({ id: 'Problem', description: 'Problem details (RFC 9457).' });
export type Problem = z.infer<typeof Problem>;

export interface ProblemOptions {
  errors?: Problem['errors'];
  retryAfterSeconds?: number;
  /** The methods that the path supports, for a 405. */
  allow?: string;
}

/** A failed request; becomes a response with this status. */
export class ProblemError extends Error {
  override readonly name = 'ProblemError';
  readonly status: number;
  readonly retryAfterSeconds: number | null;
  readonly allow: string | null;
  private readonly errors: Problem['errors'];

  constructor(status: number, detail: string, { errors, retryAfterSeconds, allow }: ProblemOptions = {}) {
    super(detail);
    this.status = status;
    this.errors = errors;
    this.retryAfterSeconds = retryAfterSeconds ?? null;
    this.allow = allow ?? null;
  }

  toProblem(): Problem {
    const { status, message: detail, errors } = this;
    const problem = { type: 'about:blank', title: STATUS_CODES[status] ?? 'Problem', status, detail } as const;
    return errors === undefined ? problem : { ...problem, errors };
  }
}

const DETAILS: Readonly<Record<string, string>> = {
  FST_ERR_BAD_URL: 'The URL is not validly encoded.',
  FST_ERR_CTP_INVALID_MEDIA_TYPE:
    'The body has the wrong type; send JSON with the header "content-type: application/json".',
  FST_ERR_CTP_BODY_TOO_LARGE: 'The body is longer than 1024 bytes; send one domain.',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'The body is empty; send a JSON object.',
  FST_ERR_CTP_INVALID_JSON_BODY: 'The body is not JSON; send a JSON object.',
  FST_ERR_MAX_PARAM_LENGTH: 'A part of the path is too long.',
};

/** Converts any error to a problem. Internal errors reveal no details. */
export function toProblemError(error: unknown): ProblemError {
  if (error instanceof ProblemError) return error;
  if (error instanceof StoreError && error.code === 'locked') {
    return new ProblemError(503, 'The database is locked; try again in a moment.', { retryAfterSeconds: 1 });
  }
  if (error instanceof DirectoryNotReadError) return new ProblemError(503, error.message, { retryAfterSeconds: 2 });
  const { statusCode = 500, code = '' } = error as { statusCode?: number; code?: string };
  if (statusCode >= 400 && statusCode < 500) {
    return new ProblemError(statusCode, DETAILS[code] ?? 'The request is invalid.');
  }
  return new ProblemError(500, 'Internal error; it has been logged.');
}

const PROBLEMS: Readonly<Record<string, [status: number, detail: string]>> = {
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request did not arrive in time.'],
  HPE_HEADER_OVERFLOW: [431, 'The request line and headers are too large.'],
};

/** Answers invalid HTTP with a problem. */
export function answerClientError({ code = '' }: { code?: string }, socket: Socket): void {
  if (code === 'ECONNRESET' || socket.destroyed) return;
  const [status, detail] = PROBLEMS[code] ?? [400, 'The request is not HTTP.'];
  const body = JSON.stringify(new ProblemError(status, detail).toProblem());
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    `content-type: ${PROBLEM_TYPE}`,
    `content-length: ${Buffer.byteLength(body)}`,
    `cache-control: ${NO_STORE}`,
    'connection: close',
  ];
  if (socket.writable) socket.write(`${lines.join('\r\n')}\r\n\r\n${body}`);
  socket.destroy();
}

export function pathNotFound(): ProblemError {
  return new ProblemError(404, 'There is nothing at this path; /api lists all paths.');
}
