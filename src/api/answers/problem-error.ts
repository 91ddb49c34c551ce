import { STATUS_CODES } from 'node:http';
import { StoreError } from '../../store/sqlite/store-error.ts';
import { DirectoryNotReadError } from '../../views/directory.ts';
import type { Problem } from './problem.ts';

export interface ProblemOptions {
  errors?: Problem['errors'];
  retryAfterSeconds?: number;
  /** Methods that the path knows, for a 405. */
  allow?: string;
}

/** A request that is not granted; it becomes an answer with this status. */
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
  FST_ERR_BAD_URL: 'The address is not encoded as a URL is.',
  FST_ERR_CTP_INVALID_MEDIA_TYPE:
    'The body is of another type; send JSON, with the header "content-type: application/json".',
  FST_ERR_CTP_BODY_TOO_LARGE: 'The body is longer than 1024 bytes; send a shorter one, with one domain.',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'The body is empty; send a JSON object.',
  FST_ERR_CTP_INVALID_JSON_BODY: 'The body is not JSON; send a JSON object.',
  FST_ERR_MAX_PARAM_LENGTH: 'A part of the path is too long.',
};

/** Any error as a problem. Of our own faults a client learns nothing but that there is one. */
export function toProblemError(error: unknown): ProblemError {
  if (error instanceof ProblemError) return error;
  if (error instanceof StoreError && error.code === 'locked') {
    return new ProblemError(503, 'The database is being changed; ask again in a moment.', { retryAfterSeconds: 1 });
  }
  if (error instanceof DirectoryNotReadError) return new ProblemError(503, error.message, { retryAfterSeconds: 2 });
  const { statusCode = 500, code = '' } = error as { statusCode?: number; code?: string };
  if (statusCode >= 400 && statusCode < 500) {
    return new ProblemError(statusCode, DETAILS[code] ?? 'The request cannot be understood.');
  }
  return new ProblemError(500, 'Something of ours does not work; it has been noted.');
}
