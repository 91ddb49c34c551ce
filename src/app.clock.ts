/** Before this there was no such program: a clock that says so was never set, and everything it dates would be wrong for ever. */
const EARLIEST = Date.UTC(2026, 0, 1);

/** The clock of this machine cannot be right. */
export class ClockError extends Error {
  override readonly name = 'ClockError';
  readonly kind = 'failure';
}

/** @throws {ClockError} when the clock was never set. */
export function requireClock(at: number): void {
  if (at >= EARLIEST) return;
  throw new ClockError(
    `the clock of this machine says ${new Date(at).toISOString()}, which cannot be: set it, and have it set at each start before loopscout`,
  );
}
