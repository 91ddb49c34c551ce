import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

export interface ChildEnd {
  stdout: string;
  stderr: string;
  code: number | null;
  signal: NodeJS.Signals | null;
}

export interface Child {
  /** Resolves when the output contains `text`. */
  printed(text: string): Promise<void>;
  kill(): void;
  ended: Promise<ChildEnd>;
}

/** Runs a script of this folder in a child process; `fileBlocks` limits the size of each written file, in blocks of 512 bytes. */
export function runChild(script: string, args: readonly string[], { fileBlocks }: { fileBlocks?: number } = {}): Child {
  const command = [process.execPath, fileURLToPath(new URL(script, import.meta.url)), ...args];
  const limited =
    fileBlocks === undefined ? command : ['sh', '-c', `ulimit -f ${fileBlocks}; exec "$@"`, 'sh', ...command];
  const [program = '', ...programArgs] = limited;
  const child: ChildProcess = spawn(program, programArgs, { stdio: ['ignore', 'pipe', 'pipe'] });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  let stdout = '';
  let stderr = '';
  const listeners = new Set<() => void>();
  child.stdout?.on('data', (chunk: Buffer) => {
    stdout += chunk.toString();
    for (const listener of listeners) listener();
  });
  child.stderr?.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  const ended = new Promise<ChildEnd>((resolve) => {
    child.on('close', (code, signal) => resolve({ stdout, stderr, code, signal }));
  });
  const printed = (text: string): Promise<void> =>
    new Promise((resolve, reject) => {
      const check = () => {
        if (stdout.includes(text)) resolve();
      };
      listeners.add(check);
      check();
      void ended.then(() => reject(new Error(`ended without printing ${text}: ${stdout}${stderr}`)));
    });
  return { printed, kill: () => void child.kill('SIGKILL'), ended };
}
