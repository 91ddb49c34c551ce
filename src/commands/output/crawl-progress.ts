import { cursorTo } from 'node:readline';
import type { CrawlProgress, CrawlRequest } from '../../app/crawl-and-export.ts';
import type { Clock } from '../../model/time.ts';
import type { GlobalOptions, Terminal } from '../command.ts';
import { columnsOf } from './table.ts';

const LINE_EVERY_MS = 5_000;
const BAR_EVERY_MS = 100;
/** The escape sequence that clears the rest of the line. */
const CLEAR_REST = '\u001b[K';
const MIN_BAR_COLUMNS = 5;
const MAX_BAR_COLUMNS = 40;
/** Columns of the text next to the bar. */
const TEXT_COLUMNS = 48;

/** How a command shows the progress and the warnings of a pass. `--quiet` and `--verbose` hide the progress; the latter logs each visit instead. */
export function progressOn(
  stderr: Terminal['stderr'],
  { quiet, verbose }: Pick<GlobalOptions, 'quiet' | 'verbose'>,
): Pick<CrawlRequest, 'onWarning' | 'progress'> {
  return {
    onWarning: (line) => void stderr.write(`warning: ${line}\n`),
    progress: quiet === true || verbose === true ? null : new Progress(stderr, () => performance.now()),
  };
}

/** A bar on a terminal, otherwise a line every five seconds. */
export class Progress implements CrawlProgress {
  readonly #stderr: Terminal['stderr'];
  readonly #clock: Clock;
  readonly #isTerminal: boolean;
  #startedAt: number | null = null;
  #writtenAt = 0;
  #total = 0;
  #done = 0;

  constructor(stderr: Terminal['stderr'], clock: Clock) {
    this.#stderr = stderr;
    this.#clock = clock;
    this.#isTerminal = stderr.isTTY === true;
  }

  begin(expected: number): void {
    this.#total = expected;
    this.#startedAt = this.#clock();
    this.#writtenAt = this.#startedAt;
    if (this.#isTerminal) this.#write();
  }

  expect(count: number): void {
    // Domains entered before the start are in the number given to `begin`.
    if (this.#startedAt !== null) this.#total += count;
  }

  tick(): void {
    this.#done++;
    if (this.#clock() - this.#writtenAt < (this.#isTerminal ? BAR_EVERY_MS : LINE_EVERY_MS)) return;
    this.#writtenAt = this.#clock();
    this.#write();
  }

  end(): void {
    if (!this.#isTerminal) return;
    this.#write();
    this.#stderr.write('\n');
  }

  #write(): void {
    const expected = Math.max(this.#total, this.#done);
    const perSecond = (this.#done * 1_000) / Math.max(1, this.#clock() - (this.#startedAt ?? 0));
    const eta = perSecond === 0 ? 'unknown' : `${Math.ceil((expected - this.#done) / perSecond)} s`;
    const rate = perSecond.toFixed(0);
    if (!this.#isTerminal) {
      this.#stderr.write(`visited ${this.#done} of ${expected}, ${rate}/s, ETA ${eta}\n`);
      return;
    }
    const size = Math.max(MIN_BAR_COLUMNS, Math.min(MAX_BAR_COLUMNS, columnsOf(this.#stderr) - TEXT_COLUMNS));
    const share = this.#done / Math.max(1, expected);
    const full = Math.round(share * size);
    const bar = '\u2588'.repeat(full) + '\u2591'.repeat(size - full);
    cursorTo(this.#stderr, 0);
    this.#stderr.write(
      `  ${bar} ${Math.floor(share * 100)}% | ${this.#done} of ${expected} | ${rate}/s | ETA ${eta}${CLEAR_REST}`,
    );
  }
}
