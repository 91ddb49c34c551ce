/** A text that stops being JSON, or is JSON that nobody can use. The message is one phrase. */
export class JsonError extends Error {
  override readonly name = 'JsonError';
}
