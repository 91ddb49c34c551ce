import type { ChildProcess } from 'node:child_process';
import { PassThrough } from 'node:stream';
import { main } from '../../src/commands/main.ts';
import { type CliResult, runCli } from './run-cli.ts';

export interface StartedCli extends AsyncDisposable {
  /** Output on stdout until the command was ready. */
  text: string;
  /** Ends the command and waits for its exit. */
  stop(): Promise<CliResult>;
}

/** Starts a long-running command in a process of its own and waits until its output matches `ready`. SIGTERM ends it. */
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

/** Like {@link startCli}, for `reference` in this process: the end of its standard input ends it. */
export async function startReference(args: readonly string[], ready = /\n/): Promise<StartedCli> {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  const output = { stdout: '', stderr: '' };
  const isReady = Promise.withResolvers<void>();
  stderr.on('data', (chunk) => {
    output.stderr += chunk;
  });
  stdout.on('data', (chunk) => {
    output.stdout += chunk;
    if (ready.test(output.stdout)) isReady.resolve();
  });
  const terminal = { stdin, stdout, stderr, cwd: process.cwd() };
  const ended = main(['reference', '--until-stdin-ends', ...args], terminal).then((code) => ({ code, ...output }));
  ended.then(() => isReady.reject(new Error(`exited before it was ready: ${output.stderr}`)), isReady.reject);
  await isReady.promise;
  const stop = () => {
    stdin.end();
    return ended;
  };
  return {
    text: output.stdout,
    stop,
    [Symbol.asyncDispose]: async () => {
      await stop();
    },
  };
}
