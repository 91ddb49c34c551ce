/** A source that cannot be read at all. The message is one sentence: which source, what is wrong, the cure. */
export class SourceError extends Error {
  override readonly name = 'SourceError';
  readonly kind = 'setting';

  constructor(subject: string, problem: string, cure: string, options?: ErrorOptions) {
    super(`${subject} ${problem}; ${cure}.`, options);
  }
}
