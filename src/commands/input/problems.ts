import { UsageError } from '../command.ts';
import { exitCodeOf } from './explain-error.ts';

/** Collects the problems of a command line and of the files that it names, to report them together. */
export function createProblems() {
  const problems: string[] = [];
  return {
    add: (problem: string) => {
      problems.push(problem);
    },
    /** Returns the result of the check; undefined when it throws a usage or settings error, which is collected. */
    attempt: <T>(check: () => T): T | undefined => {
      try {
        return check();
      } catch (error) {
        if (!(error instanceof Error) || exitCodeOf(error) !== 2) throw error;
        problems.push(error.message);
        return undefined;
      }
    },
    /** @throws {UsageError} with one line per problem, if there are any. */
    throwIfAny: () => {
      if (problems.length > 0) throw new UsageError(problems.join('\n'));
    },
  };
}

export type Problems = ReturnType<typeof createProblems>;
