import { z } from 'zod';
import type { TextStyle } from '../model/text/terminal-text.ts';

/** The severity of a finding: `fail` breaks clients or directories, `warn` causes some harm, `info` is worth knowing. */
export const Severity = z.enum(['pass', 'info', 'warn', 'fail']);
export type Severity = z.infer<typeof Severity>;

export const WORST_FIRST: readonly Severity[] = ['fail', 'warn', 'info', 'pass'];

interface Mark {
  sign: string;
  word: string;
  /** Style of the sign alone. */
  signStyle: readonly TextStyle[];
  /** Style of sign and word, with a background, because yellow on white is illegible. */
  labelStyle: readonly TextStyle[];
}

/** The look of each severity on a terminal; sign and word suffice without colour. */
export const MARKS: Readonly<Record<Severity, Mark>> = {
  fail: { sign: '✗', word: 'FAIL', signStyle: ['red'], labelStyle: ['bold', 'white', 'bgRed'] },
  warn: { sign: '!', word: 'WARN', signStyle: ['yellow'], labelStyle: ['black', 'bgYellow'] },
  info: { sign: 'i', word: 'INFO', signStyle: ['cyan'], labelStyle: ['black', 'bgCyan'] },
  pass: { sign: '✓', word: 'PASS', signStyle: ['green'], labelStyle: ['black', 'bgGreen'] },
};
