import { UsageError } from '../command.ts';
import { exitCodeOf } from './explain-error.ts';

/** What is wrong with a command line and the files that it names, collected, so that all of it is told at once. */
export interface Problems {
  add(problem: string): void;
  /** What the check gives; undefined when it throws what the person who typed the command has to put right. */
  in<T>(check: () => T): T | undefined;
  /** @throws {UsageError} with a line for each problem, if there is any. */
  tell(): void;
}

export function createProblems(): Problems {
  const problems: string[] = [];
  return {
    add: (problem) => {
      problems.push(problem);
    },
    in: (check) => {
      try {
        return check();
      } catch (error) {
        if (!(error instanceof Error) || exitCodeOf(error) !== 2) throw error;
        problems.push(error.message);
        return undefined;
      }
    },
    tell: () => {
      if (problems.length > 0) throw new UsageError(problems.join('\n'));
    },
  };
}
