import type { Readable, Writable } from 'node:stream';

/** The streams and the folder of a command; a test passes its own. */
export interface Terminal {
  /** Answers to questions. A command asks none when this is absent or not a terminal. */
  stdin?: Readable & { isTTY?: boolean };
  /** Results. */
  stdout: Writable & { isTTY?: boolean; columns?: number };
  /** Log and progress. */
  stderr: Writable & { isTTY?: boolean; columns?: number };
  /** The folder that relative paths of flags resolve against. */
  cwd: string;
}

/** The options of every command, accepted before and after its name. */
export interface GlobalOptions {
  config?: string;
  set?: string[];
  json?: boolean;
  quiet?: boolean;
  verbose?: boolean;
}

export interface Invocation<Options extends object = object> {
  args: string[];
  options: GlobalOptions & Options;
  terminal: Terminal;
  /** Aborts when stdout can no longer be written. */
  outputFailed: AbortSignal;
}

/** Runs a command and returns the exit code: 0 done; 1 the operation failed, or the result is negative; 2 usage or settings error; 3 nothing could be tested. */
export type Run<Options extends object = object> = (invocation: Invocation<Options>) => Promise<number>;

/** The options of a command, and the text of its `--help`. */
export interface Help {
  /** Describes the argument. */
  argument?: string;
  options?: readonly (readonly [form: string, description: string])[];
  /** Whether it refuses `--config` and `--set`, so that they are not shown. */
  refusesSettings?: true;
  /** Details below the options. */
  more: string;
  /** Command lines below the details. */
  examples: readonly string[];
}

/** A command in the list of `loopscout --help`, and its module, which is imported only when the command is named. */
export interface CommandEntry {
  name: string;
  /** In commander's notation: `[domain...]`. */
  argument: string | null;
  summary: string;
  load: () => Promise<{ help: Help; run: Run<never> }>;
}

export class UsageError extends Error {
  override readonly name = 'UsageError';
  readonly kind = 'setting';
}

/** Writes the result of a command: as JSON with `--json`, else as text. */
export function writeResult({ options, terminal }: Invocation, result: object, text: () => string): void {
  terminal.stdout.write(options.json === true ? `${JSON.stringify(result, null, 2)}\n` : text());
}
