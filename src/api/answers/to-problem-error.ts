import { StoreError } from '../../store/store-error.ts';
import { ProblemError } from './problem-error.ts';

const DETAILS: Readonly<Record<string, string>> = {
  FST_ERR_BAD_URL: 'The address is not encoded as a URL is.',
  FST_ERR_CTP_INVALID_MEDIA_TYPE:
    'The body is of another type; send JSON, with the header "content-type: application/json".',
  FST_ERR_CTP_BODY_TOO_LARGE: 'The body is longer than 1024 bytes; send a shorter one, with one domain.',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'The body is empty; send a JSON object.',
  FST_ERR_CTP_INVALID_JSON_BODY: 'The body is not JSON; send a JSON object.',
  FST_ERR_MAX_PARAM_LENGTH: 'A part of the path is too long.',
};

/** Whatever went wrong as what is told of it: of our own faults nothing but that there is one. */
export function toProblemError(error: unknown): ProblemError {
  if (error instanceof ProblemError) return error;
  if (error instanceof StoreError && error.code === 'locked') {
    return new ProblemError(503, 'The database is being changed; ask again in a moment.', { retryAfterSeconds: 1 });
  }
  const { statusCode = 500, code = '' } = error as { statusCode?: number; code?: string };
  if (statusCode >= 400 && statusCode < 500) {
    return new ProblemError(statusCode, DETAILS[code] ?? 'The request cannot be understood.');
  }
  return new ProblemError(500, 'Something of ours does not work; it has been noted.');
}
