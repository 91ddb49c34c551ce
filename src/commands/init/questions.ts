import { createInterface } from 'node:readline/promises';
import { wrapLines } from '../../report/text-blocks.ts';
import type { Terminal } from '../command.ts';
import { columnsOf } from '../output/table.ts';
import type { CatalogueSource } from './catalogue.ts';

/** The input ended before the last answer. */
export class NoAnswerError extends Error {
  override readonly name = 'NoAnswerError';
  readonly kind = 'failure';
}

const MAX_COLUMNS = 80;

/** Asks on the terminal. */
export class Questions implements Disposable {
  readonly #stderr: Terminal['stderr'];
  readonly #lines;
  readonly #answers;

  constructor(stdin: NonNullable<Terminal['stdin']>, stderr: Terminal['stderr']) {
    this.#stderr = stderr;
    this.#lines = createInterface({ input: stdin, output: stderr });
    this.#answers = this.#lines[Symbol.asyncIterator]();
  }

  /** Asks until the answer is accepted. @param check returns what is wrong with the answer, or null. */
  async text(question: string, check: (answer: string) => string | null): Promise<string> {
    for (;;) {
      const answer = await this.#ask(`${question} `);
      const problem = check(answer);
      if (problem === null) return answer;
      this.#stderr.write(`${problem}\n`);
    }
  }

  /** Yes or no; Enter takes the default. */
  async confirm(question: string, byDefault: boolean): Promise<boolean> {
    const answer = await this.text(`${question} ${byDefault ? '[Y/n]' : '[y/N]'}`, (text) =>
      /^(?:y(?:es)?|no?|)$/i.test(text) ? null : 'Answer y or n; Enter takes the capital one.',
    );
    return answer === '' ? byDefault : /^y/i.test(answer);
  }

  /** Whether the source is to be read; Enter takes its default. */
  source({ id, url, enabled, note }: CatalogueSource): Promise<boolean> {
    const columns = Math.min(MAX_COLUMNS, columnsOf(this.#stderr));
    this.#stderr.write(`\n${url === undefined ? id : `${id} (${url})`}\n`);
    this.#stderr.write(`${wrapLines(note, columns, { first: '  ', indent: '  ' }).join('\n')}\n`);
    return this.confirm('Read this source?', enabled);
  }

  [Symbol.dispose](): void {
    this.#lines.close();
  }

  async #ask(question: string): Promise<string> {
    this.#lines.setPrompt(question);
    this.#lines.prompt();
    const { done, value } = await this.#answers.next();
    if (done === true) {
      this.#stderr.write('\n');
      throw new NoAnswerError('stopped before the last answer: nothing was written');
    }
    return value.trim();
  }
}
