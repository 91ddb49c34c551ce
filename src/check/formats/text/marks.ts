import type { Severity } from '../../severity.ts';
import type { Look } from './paint.ts';

interface Mark {
  sign: string;
  word: string;
  /** Of the sign alone. */
  looks: readonly Look[];
  /** Of sign and word: on a ground of their own, as yellow on white cannot be read. */
  tag: readonly Look[];
}

/** How a severity looks on a terminal: a sign and a word that tell it without any colour. */
export const MARKS: Readonly<Record<Severity, Mark>> = {
  fail: { sign: '✗', word: 'FAIL', looks: ['red'], tag: ['bold', 'white', 'bgRed'] },
  warn: { sign: '!', word: 'WARN', looks: ['yellow'], tag: ['black', 'bgYellow'] },
  info: { sign: 'i', word: 'INFO', looks: ['cyan'], tag: ['black', 'bgCyan'] },
  pass: { sign: '✓', word: 'PASS', looks: ['green'], tag: ['black', 'bgGreen'] },
};
