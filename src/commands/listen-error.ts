import { UsageError } from './command.ts';

const problems: Readonly<Record<string, (port: number) => string>> = {
  EADDRINUSE: (port) =>
    `port ${port} is taken; stop what listens there, or name another with --port, 0 for any free one`,
  EACCES: (port) => `port ${port} may not be listened on; name one from 1024 up with --port`,
  EADDRNOTAVAIL: () => 'the address is none of this machine; name one that is with --host',
  ENOTFOUND: () => 'the address is not known; name one of this machine with --host',
};

/** The error of a server that could not start to listen, in one sentence; any other error as it is. */
export function explainListenError(error: unknown, port: number): unknown {
  const problem = problems[(error as NodeJS.ErrnoException)?.code ?? ''];
  return problem === undefined ? error : new UsageError(`the reference server cannot listen: ${problem(port)}`);
}
