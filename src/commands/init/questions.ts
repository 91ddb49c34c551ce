import { createInterface } from 'node:readline/promises';
import { wrapLines } from '../../report/text-blocks.ts';
import type { Terminal } from '../command.ts';
import { columnsOf } from '../output/table.ts';
import type { CatalogueSource } from './catalogue.ts';

/** Asks on the terminal. */
export interface Questions extends Disposable {
  /** Asks until the answer is accepted. @param check returns what is wrong with the answer, or null. */
  text(question: string, check: (answer: string) => string | null): Promise<string>;
  /** Yes or no; Enter takes the default. */
  confirm(question: string, byDefault: boolean): Promise<boolean>;
  /** Whether the source is to be read; Enter takes its default. */
  source(source: CatalogueSource): Promise<boolean>;
}

/** The input ended before the last answer. */
export class NoAnswerError extends Error {
  override readonly name = 'NoAnswerError';
  readonly kind = 'failure';
}

const MAX_COLUMNS = 80;

export function createQuestions(stdin: NonNullable<Terminal['stdin']>, stderr: Terminal['stderr']): Questions {
  const lines = createInterface({ input: stdin, output: stderr });
  const answers = lines[Symbol.asyncIterator]();
  const columns = Math.min(MAX_COLUMNS, columnsOf(stderr));

  async function ask(question: string): Promise<string> {
    lines.setPrompt(question);
    lines.prompt();
    const { done, value } = await answers.next();
    if (done === true) {
      stderr.write('\n');
      throw new NoAnswerError('stopped before the last answer: nothing was written');
    }
    return value.trim();
  }

  const questions: Questions = {
    async text(question, check) {
      for (;;) {
        const answer = await ask(`${question} `);
        const problem = check(answer);
        if (problem === null) return answer;
        stderr.write(`${problem}\n`);
      }
    },
    async confirm(question, byDefault) {
      const answer = await questions.text(`${question} ${byDefault ? '[Y/n]' : '[y/N]'}`, (text) =>
        /^(?:y(?:es)?|no?|)$/i.test(text) ? null : 'Answer y or n; Enter takes the capital one.',
      );
      return answer === '' ? byDefault : /^y/i.test(answer);
    },
    async source({ id, url, enabled, note }) {
      stderr.write(`\n${url === undefined ? id : `${id} (${url})`}\n`);
      stderr.write(`${wrapLines(note, columns, { first: '  ', indent: '  ' }).join('\n')}\n`);
      return questions.confirm('Read this source?', enabled);
    },
    [Symbol.dispose]: () => lines.close(),
  };
  return questions;
}
