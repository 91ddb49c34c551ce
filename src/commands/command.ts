import type { Writable } from 'node:stream';

/** The streams and the folder of a command; a test passes its own. */
export interface Terminal {
  /** Results. */
  stdout: Writable & { isTTY?: boolean; columns?: number };
  /** Log and progress. */
  stderr: Writable & { isTTY?: boolean; columns?: number };
  /** The folder that relative paths of flags resolve against. */
  cwd: string;
}

/** The options of every command. */
export interface GlobalOptions {
  config?: string;
  set?: string[];
  json?: boolean;
}

export interface Invocation<Options extends object = object> {
  args: string[];
  options: GlobalOptions & Options;
  terminal: Terminal;
  /** Aborts when stdout cannot be written any more. */
  outputLost: AbortSignal;
}

/** Runs a command and returns the exit code: 0 done, 1 the operation failed, or the result is negative, 2 usage or settings error. */
export type Run<Options extends object = object> = (invocation: Invocation<Options>) => Promise<number>;

/** A command line that cannot be used. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
  readonly kind = 'setting';
}
