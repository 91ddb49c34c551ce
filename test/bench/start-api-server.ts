import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { ApiServerKind, ApiServerUsage } from './api-server.ts';

export interface MeasuredApi extends AsyncDisposable {
  readonly pid: number;
  readonly url: string;
  usage(): Promise<ApiServerUsage>;
}

/** Starts a server in its own process, with the same young generation size as the product. */
export async function startApiServer(kind: ApiServerKind, file: string): Promise<MeasuredApi> {
  const child = fork(join(import.meta.dirname, 'api-server.ts'), [kind, file], {
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
      return nextMessage<ApiServerUsage>();
    },
    [Symbol.asyncDispose]: async () => {
      if (child.connected) child.disconnect();
      await ended;
    },
  };
}
