import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export const repository = fileURLToPath(new URL('../../', import.meta.url));

export interface CliResult {
  /** Null when a signal ended the process. */
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface RunOptions {
  cwd?: string;
  env?: NodeJS.ProcessEnv;
  /** Arguments of Node.js itself. */
  nodeArgs?: readonly string[];
  /** Called with the running process, for example to send a signal. */
  onStart?: (child: ChildProcess) => void;
}

/** Runs the command line from source in a separate process and waits for its exit. */
export async function runCli(args: readonly string[], options: RunOptions = {}): Promise<CliResult> {
  return run(process.execPath, [...(options.nodeArgs ?? []), `${repository}src/cli.ts`, ...args], options);
}

/** Runs a program and waits for its exit. */
export async function run(program: string, args: readonly string[], options: RunOptions = {}): Promise<CliResult> {
  const child = spawn(program, args, {
    cwd: options.cwd ?? repository,
    env: { ...process.env, ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk) => {
    output.stdout += chunk;
  });
  child.stderr.on('data', (chunk) => {
    output.stderr += chunk;
  });
  options.onStart?.(child);
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, ...output };
}
