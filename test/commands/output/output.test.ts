import { Writable } from 'node:stream';
import { expect, it, vi } from 'vitest';
import { paintFor } from '../../../src/commands/output/output.ts';

function stream(isTTY: boolean): Writable & { isTTY: boolean } {
  return Object.assign(new Writable(), { isTTY });
}

it('the output has colours on a terminal, but not in a file or if NO_COLOR is set', () => {
  vi.stubEnv('NO_COLOR', undefined);
  vi.stubEnv('FORCE_COLOR', undefined);
  expect(paintFor(stream(true))(['bold', 'green'], 'listed')).not.toBe('listed');
  expect(paintFor(stream(false))(['bold', 'green'], 'listed')).toBe('listed');
  vi.stubEnv('NO_COLOR', '1');
  expect(paintFor(terminal())(['bold', 'green'], 'listed')).toBe('listed');
  vi.unstubAllEnvs();
});

/** A terminal whose colour depth follows NO_COLOR, as in Node. */
function terminal() {
  return Object.assign(stream(true), { getColorDepth: () => (process.env.NO_COLOR === undefined ? 8 : 1) });
}
