import { z } from 'zod';
import type { TextStyle } from '../model/text/terminal-text.ts';

/** How bad a finding is: `fail` keeps clients or directories out, `warn` costs something, `info` is worth knowing. */
export const Severity = z.enum(['pass', 'info', 'warn', 'fail']);
export type Severity = z.infer<typeof Severity>;

export const WORST_FIRST: readonly Severity[] = ['fail', 'warn', 'info', 'pass'];

interface Mark {
  sign: string;
  word: string;
  /** Of the sign alone. */
  looks: readonly TextStyle[];
  /** Of sign and word: on a background of their own, as yellow on white cannot be read. */
  tag: readonly TextStyle[];
}

/** How a severity looks on a terminal: sign and word are enough without any colour. */
export const MARKS: Readonly<Record<Severity, Mark>> = {
  fail: { sign: '✗', word: 'FAIL', looks: ['red'], tag: ['bold', 'white', 'bgRed'] },
  warn: { sign: '!', word: 'WARN', looks: ['yellow'], tag: ['black', 'bgYellow'] },
  info: { sign: 'i', word: 'INFO', looks: ['cyan'], tag: ['black', 'bgCyan'] },
  pass: { sign: '✓', word: 'PASS', looks: ['green'], tag: ['black', 'bgGreen'] },
};
