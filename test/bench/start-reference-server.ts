import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { ServerKind, Usage } from './reference-server.ts';

export interface MeasuredServer extends AsyncDisposable {
  readonly url: string;
  usage(): Promise<Usage>;
}

/** Starts a server in its own process, with a young generation so small that it hardly changes the memory figures. */
export async function startReferenceServer(kind: ServerKind): Promise<MeasuredServer> {
  const child = fork(join(import.meta.dirname, 'reference-server.ts'), [kind], {
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
