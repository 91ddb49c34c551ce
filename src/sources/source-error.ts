export interface SourceErrorOptions extends ErrorOptions {
  /** `setting`: the settings are wrong (a path, a selector). `failure`: a remote or temporary problem (404, HTML, robots.txt, DNS). */
  kind?: 'setting' | 'failure';
  /** Whether the server refuses access: 401, 403 or a challenge page. */
  isDenied?: boolean;
  /** Retry-After of the server. */
  retryAfterMs?: number | null;
}

/** Nothing of a source can be read. The message is one sentence: source, problem, cure. */
export class SourceError extends Error {
  override readonly name = 'SourceError';
  readonly kind: 'setting' | 'failure';
  readonly isDenied: boolean;
  readonly retryAfterMs: number | null;

  constructor(subject: string, problem: string, cure: string, options: SourceErrorOptions = {}) {
    super(`${subject} ${problem}; ${cure}.`, options);
    this.kind = options.kind ?? 'setting';
    this.isDenied = options.isDenied ?? false;
    this.retryAfterMs = options.retryAfterMs ?? null;
  }
}
