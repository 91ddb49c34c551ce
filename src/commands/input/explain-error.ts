/** An error that is not a bug: the message is written for the person who runs the program. */
interface ExpectedError extends Error {
  /** `setting`: what was typed or set cannot be used; `failure`: it broke while working. */
  kind: 'setting' | 'failure';
}

function isExpected(error: unknown): error is ExpectedError {
  return error instanceof Error && 'kind' in error && (error.kind === 'setting' || error.kind === 'failure');
}

/** What to print: the sentence of an expected error, everything known of a bug. */
export function explainError(error: unknown): string {
  if (isExpected(error)) return error.message;
  return `this is a bug in Loopscout: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`;
}

export function exitCodeOf(error: unknown): 1 | 2 {
  return isExpected(error) && error.kind === 'setting' ? 2 : 1;
}
