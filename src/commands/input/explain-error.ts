/** An error that is not a bug; its message is written for users. */
interface ExpectedError extends Error {
  /** `setting`: a wrong command line or setting; `failure`: an operation failed. */
  kind: 'setting' | 'failure';
}

export function isExpected(error: unknown): error is ExpectedError {
  return error instanceof Error && 'kind' in error && (error.kind === 'setting' || error.kind === 'failure');
}

/** The text to print: the message of an expected error, the stack of a bug. */
export function explainError(error: unknown): string {
  if (isExpected(error)) return error.message;
  return `this is a bug in Loopscout: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`;
}

export function exitCodeOf(error: unknown): 1 | 2 {
  return isExpected(error) && error.kind === 'setting' ? 2 : 1;
}
