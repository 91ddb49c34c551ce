import { STATUS_CODES } from 'node:http';
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
