import { styleText } from 'node:util';
import type { Paint } from '../../app/check.ts';
import type { Terminal } from '../command.ts';

/** Gives text its looks where the stream is a terminal that shows them, and NO_COLOR does not forbid it. */
export function paintFor(stream: Terminal['stdout']): Paint {
  return (looks, text) => styleText([...looks], text, { stream });
}
