/**
 * Why a visit has no result. `lost`: its worker died, or did not answer before its deadline; `not-visited`: it was cancelled, or its worker
 * could not carry it out; `no-workers`: workers cannot be reached, which ends the pass.
 */
export class VisitError extends Error {
  override readonly name = 'VisitError';
  readonly code: 'lost' | 'not-visited' | 'no-workers';
  readonly kind = 'failure';

  constructor(code: VisitError['code'], message: string) {
    super(message);
    this.code = code;
  }
}
