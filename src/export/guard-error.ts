/** An export that was kept back; the published files are as they were. The message is one sentence: what would have been published, and the cure. */
export class GuardError extends Error {
  override readonly name = 'GuardError';
  readonly kind = 'failure';
  /** The export folder. */
  readonly dir: string;

  /** `why` completes "The files in DIR were kept as they were: ...". */
  constructor(dir: string, why: string, cure: string) {
    super(`The files in ${dir} were kept as they were: ${why}; ${cure}, or publish all the same with export --force.`);
    this.dir = dir;
  }
}
