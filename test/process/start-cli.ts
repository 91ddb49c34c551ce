import type { ChildProcess } from 'node:child_process';
import { type Ended, runCli } from './run-cli.ts';

export interface StartedCli extends AsyncDisposable {
  /** What it wrote to stdout until it was ready. */
  text: string;
  /** Sends SIGTERM and waits for its end. */
  stop(): Promise<Ended>;
}

/** Starts a command that runs until it is interrupted, and waits until its output has a line like `ready`. */
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
  ended.then(({ stderr }) => first.reject(new Error(`it ended before it was ready: ${stderr}`)), first.reject);
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
