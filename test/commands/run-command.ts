import { Writable } from 'node:stream';
import { main } from '../../src/commands/main.ts';

export interface CommandEnd {
  code: number;
  stdout: string;
  stderr: string;
}

/** Runs a command line in this thread to its end. */
export async function runCommand(args: readonly string[], cwd = process.cwd()): Promise<CommandEnd> {
  const text = { stdout: '', stderr: '' };
  const into = (name: keyof typeof text) =>
    new Writable({
      write: (chunk, _encoding, done) => {
        text[name] += chunk;
        done();
      },
    });
  const code = await main(args, { stdout: into('stdout'), stderr: into('stderr'), cwd });
  return { code, ...text };
}
