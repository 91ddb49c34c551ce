import type { ChildProcess } from 'node:child_process';
import { type CliResult, runCli } from './run-cli.ts';

export interface StartedCli extends AsyncDisposable {
  /** Output on stdout until the command was ready. */
  text: string;
  /** Sends SIGTERM and waits for the exit. */
  stop(): Promise<CliResult>;
}

/** Starts a long-running command and waits until its output matches `ready`. */
export async function startCli(args: readonly string[], ready = /\n/): Promise<StartedCli> {
  const first = Promise.withResolvers<{ text: string; child: ChildProcess }>();
  const ended = runCli(args, {
    onStart: (child) => {
      let text = '';
      child.stdout?.on('data', (chunk) => {
        text += chunk;
        if (ready.test(text)) first.resolve({ text, child });
      });
    },
  });
  ended.then(({ stderr }) => first.reject(new Error(`exited before it was ready: ${stderr}`)), first.reject);
  const { text, child } = await first.promise;
  const stop = () => {
    child.kill('SIGTERM');
    return ended;
  };
  return {
    text,
    stop,
    [Symbol.asyncDispose]: async () => {
      await stop();
    },
  };
}
