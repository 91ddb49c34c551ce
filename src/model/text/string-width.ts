import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/** The columns of a text in a terminal. Most are ASCII: the package takes 25 ms to load, because it compiles a pattern of all emoji. */
export function stringWidth(text: string): number {
  if (/^[ -~]*$/.test(text)) return text.length;
  const { default: widthOf } = require('string-width') as typeof import('string-width');
  return widthOf(text);
}
