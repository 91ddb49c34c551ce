/** A past moment that cannot be told; the message is one sentence that says which moments can. */
export class AsOfError extends Error {
  override readonly name = 'AsOfError';
  readonly kind = 'setting';

  /** `problem` completes "Nothing can be told as of TIME: ...". */
  constructor(at: number, problem: string) {
    super(`Nothing can be told as of ${new Date(at).toISOString()}: ${problem}.`);
  }
}
