/** A reading of a source is not under way, or no longer: it was ended, or another took the source over. */
export class RunOverError extends Error {
  override readonly name = 'RunOverError';

  constructor(run: number) {
    super(`run ${run} of a source is not under way`);
  }
}
