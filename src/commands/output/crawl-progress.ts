import { Presets, SingleBar } from 'cli-progress';
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
const MIN_BAR = 5;
const MAX_BAR = 40;
/** Columns of the text beside the bar. */
const BESIDE_BAR = 48;

/**
 * @param expectedAtStart expected visits; sources and redirects may add more.
 * @param clock monotonic, in milliseconds.
 */
export function createProgress(expectedAtStart: number, stderr: Terminal['stderr'], clock: () => number): Progress {
  const startedAt = clock();
  let total = expectedAtStart;
  let done = 0;
  const perSecond = () => (done * 1_000) / Math.max(1, clock() - startedAt);

  if (stderr.isTTY === true) {
    const format = '  {bar} {percentage}% | {value} of {total} | {rate}/s | ETA {eta_formatted}';
    const barsize = Math.max(MIN_BAR, Math.min(MAX_BAR, columnsOf(stderr) - BESIDE_BAR));
    const options = { format, barsize, stream: stderr, hideCursor: true, etaBuffer: 200 };
    const bar = new SingleBar(options, Presets.shades_classic);
    bar.start(total, 0, { rate: '0' });
    return {
      tick() {
        done++;
        if (done > total) bar.setTotal(done);
        bar.update(done, { rate: perSecond().toFixed(0) });
      },
      expect(count) {
        total += count;
        bar.setTotal(Math.max(total, done));
      },
      end: () => bar.stop(),
    };
  }

  let lineAt = startedAt;
  const write = () => {
    const left = Math.max(0, total - done);
    const eta = perSecond() === 0 ? 'unknown' : `${Math.ceil(left / perSecond())} s`;
    stderr.write(`visited ${done} of ${Math.max(total, done)}, ${perSecond().toFixed(0)}/s, ETA ${eta}\n`);
  };
  return {
    tick() {
      done++;
      if (clock() - lineAt < LINE_EVERY_MS) return;
      lineAt = clock();
      write();
    },
    expect(count) {
      total += count;
    },
    end: () => {},
  };
}
