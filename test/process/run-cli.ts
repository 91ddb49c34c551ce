import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export const repository = fileURLToPath(new URL('../../', import.meta.url));

export interface Ended {
  /** Null when a signal ended it. */
  code: number | null;
  stdout: string;
  stderr: string;
  ms: number;
}

export interface RunOptions {
  cwd?: string;
  env?: NodeJS.ProcessEnv;
  /** Arguments for Node itself. */
  nodeArgs?: readonly string[];
  /** Called with the running process, to send it a signal. */
  onStart?: (child: ChildProcess) => void;
}

/** Runs the command line of the source tree in a process of its own, to its end. */
export async function runCli(args: readonly string[], options: RunOptions = {}): Promise<Ended> {
  return run(process.execPath, [...(options.nodeArgs ?? []), `${repository}src/cli.ts`, ...args], options);
}

/** Runs any program to its end. */
export async function run(program: string, args: readonly string[], options: RunOptions = {}): Promise<Ended> {
  const startedAt = performance.now();
  const child = spawn(program, args, {
    cwd: options.cwd ?? repository,
    env: { ...process.env, ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk) => {
    ended.stdout += chunk;
  });
  child.stderr.on('data', (chunk) => {
    ended.stderr += chunk;
  });
  options.onStart?.(child);
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, ...ended, ms: performance.now() - startedAt };
}
