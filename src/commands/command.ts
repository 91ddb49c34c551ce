import type { Writable } from 'node:stream';

/** Where a command reads and writes; a test gives it its own. */
export interface Terminal {
  /** Results. */
  stdout: Writable & { isTTY?: boolean; columns?: number };
  /** Log and progress. */
  stderr: Writable & { isTTY?: boolean; columns?: number };
  /** Folder that relative paths of flags are taken from. */
  cwd: string;
}

/** The options that every command takes. */
export interface GlobalOptions {
  config?: string;
  set?: string[];
  json?: boolean;
}

export interface Invocation<Options extends object = object> {
  args: string[];
  options: GlobalOptions & Options;
  terminal: Terminal;
  /** Aborts when nothing more can be written to stdout. */
  outputLost: AbortSignal;
}

/** Runs a command; the number is the exit code: 0 done, 1 the thing asked about failed, 2 usage or settings error. */
export type Run<Options extends object = object> = (invocation: Invocation<Options>) => Promise<number>;

/** Something that the person who typed the command has to put right. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
  readonly kind = 'setting';
}
