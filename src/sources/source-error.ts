export interface SourceErrorOptions extends ErrorOptions {
  /** `setting`: the owner must mend it (a path, a selector). `failure`: the world does not give it now (404, HTML, robots.txt, DNS). */
  kind?: 'setting' | 'failure';
  /** How long the server asks to be left alone. */
  retryAfterMs?: number | null;
}

/** A source of which nothing can be read. The message is one sentence: which source, what is wrong, the cure. */
export class SourceError extends Error {
  override readonly name = 'SourceError';
  readonly kind: 'setting' | 'failure';
  readonly retryAfterMs: number | null;

  constructor(subject: string, problem: string, cure: string, options: SourceErrorOptions = {}) {
    super(`${subject} ${problem}; ${cure}.`, options);
    this.kind = options.kind ?? 'setting';
    this.retryAfterMs = options.retryAfterMs ?? null;
  }
}
