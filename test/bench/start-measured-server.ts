import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

export interface MeasuredServer<Usage> extends AsyncDisposable {
  readonly pid: number;
  readonly url: string;
  usage(): Promise<Usage>;
}

/** Starts a server script of this folder in its own process, with the young generation size of data/deploy. */
export async function startMeasuredServer<Usage>(
  script: 'api-server' | 'reference-server',
  ...args: readonly string[]
): Promise<MeasuredServer<Usage>> {
  const child = fork(join(import.meta.dirname, `${script}.ts`), args, {
    execArgv: ['--expose-gc', '--max-semi-space-size=8'],
  });
  const ended = once(child, 'exit');
  const nextMessage = async <T>(): Promise<T> => {
    const [value] = await Promise.race([
      once(child, 'message') as Promise<[T]>,
      ended.then(([code]): never => {
        throw new Error(`the server exited with ${code}`);
      }),
    ]);
    return value;
  };
  const url = await nextMessage<string>();
  return {
    pid: child.pid ?? 0,
    url,
    usage: () => {
      child.send('usage');
      return nextMessage<Usage>();
    },
    [Symbol.asyncDispose]: async () => {
      if (child.connected) child.disconnect();
      await ended;
    },
  };
}
