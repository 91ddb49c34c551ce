/** A copy that could not be written; the message is one sentence that names its path, what is wrong and the cure. */
export class BackUpError extends Error {
  override readonly name = 'BackUpError';
  /** `setting`: the copy cannot be there; `failure`: it broke while it was written. */
  readonly kind: 'setting' | 'failure';

  /** `problem` completes "The backup PATH ...". */
  constructor(kind: 'setting' | 'failure', target: string, problem: string, options?: ErrorOptions) {
    super(`The backup ${target} ${problem}.`, options);
    this.kind = kind;
  }
}
