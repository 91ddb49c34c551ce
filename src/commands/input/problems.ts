import { UsageError } from '../command.ts';
import { exitCodeOf } from './explain-error.ts';

/** Collects the problems of a command line and of the files that it names, to report them together. */
export interface Problems {
  add(problem: string): void;
  /** Returns the result of the check; undefined when it throws a usage or settings error, which is collected. */
  attempt<T>(check: () => T): T | undefined;
  /** @throws {UsageError} with one line per problem, if there are any. */
  throwIfAny(): void;
}

export function createProblems(): Problems {
  const problems: string[] = [];
  return {
    add: (problem) => {
      problems.push(problem);
    },
    attempt: (check) => {
      try {
        return check();
      } catch (error) {
        if (!(error instanceof Error) || exitCodeOf(error) !== 2) throw error;
        problems.push(error.message);
        return undefined;
      }
    },
    throwIfAny: () => {
      if (problems.length > 0) throw new UsageError(problems.join('\n'));
    },
  };
}
