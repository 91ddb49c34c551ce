/** A body that broke off. The message is one phrase. */
export class BodyError extends Error {
  override readonly name = 'BodyError';
}

/** The error itself, or the one that a client has wrapped in its own; null when it is none. */
export function bodyErrorIn(error: unknown): BodyError | null {
  if (error instanceof BodyError) return error;
  return error instanceof Error && error.cause instanceof BodyError ? error.cause : null;
}
