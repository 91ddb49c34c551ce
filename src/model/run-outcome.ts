/**
 * What came of reading a source once.
 *
 * - `complete`: it was read to its end.
 * - `unchanged`: it said that nothing changed since it was last read to its end.
 * - `partial`: it broke off half-way; what came before is entered.
 * - `failed`: nothing of it could be read.
 * - `broken`: the process that read it ended first; what it had entered stays.
 */
export type RunOutcome = 'complete' | 'unchanged' | 'partial' | 'failed' | 'broken';
