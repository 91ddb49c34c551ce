import { cursorTo } from 'node:readline';
import type { Terminal } from '../command.ts';
import { columnsOf } from './table.ts';

/** Shows the progress of a pass: a bar on a terminal, otherwise a line every five seconds. */
export interface Progress {
  /** One visit was completed. */
  tick(): void;
  /** Adds expected visits. */
  expect(count: number): void;
  end(): void;
}

const LINE_EVERY_MS = 5_000;
const BAR_EVERY_MS = 100;
/** The escape sequence that clears the rest of the line. */
const CLEAR_REST = '\u001b[K';
const MIN_BAR_COLUMNS = 5;
const MAX_BAR_COLUMNS = 40;
/** Columns of the text next to the bar. */
const TEXT_COLUMNS = 48;

/**
 * @param expectedAtStart expected visits; sources and redirects may add more.
 * @param clock monotonic, in milliseconds.
 */
export function createProgress(expectedAtStart: number, stderr: Terminal['stderr'], clock: () => number): Progress {
  const startedAt = clock();
  let total = expectedAtStart;
  let done = 0;
  const perSecond = () => (done * 1_000) / Math.max(1, clock() - startedAt);

  const expected = () => Math.max(total, done);
  const eta = () => (perSecond() === 0 ? 'unknown' : `${Math.ceil((expected() - done) / perSecond())} s`);
  const isTerminal = stderr.isTTY === true;
  const writeBar = () => {
    const size = Math.max(MIN_BAR_COLUMNS, Math.min(MAX_BAR_COLUMNS, columnsOf(stderr) - TEXT_COLUMNS));
    const share = done / Math.max(1, expected());
    const full = Math.round(share * size);
    const bar = '\u2588'.repeat(full) + '\u2591'.repeat(size - full);
    const rate = perSecond().toFixed(0);
    cursorTo(stderr, 0);
    stderr.write(
      `  ${bar} ${Math.floor(share * 100)}% | ${done} of ${expected()} | ${rate}/s | ETA ${eta()}${CLEAR_REST}`,
    );
  };
  const writeLine = () =>
    void stderr.write(`visited ${done} of ${expected()}, ${perSecond().toFixed(0)}/s, ETA ${eta()}\n`);
  const write = isTerminal ? writeBar : writeLine;
  const everyMs = isTerminal ? BAR_EVERY_MS : LINE_EVERY_MS;

  let writtenAt = startedAt;
  if (isTerminal) write();
  return {
    tick() {
      done++;
      if (clock() - writtenAt < everyMs) return;
      writtenAt = clock();
      write();
    },
    expect(count) {
      total += count;
    },
    end() {
      if (!isTerminal) return;
      write();
      stderr.write('\n');
    },
  };
}
