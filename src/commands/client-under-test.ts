import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import type { Drive, Target } from '../conform/client/play.ts';
import { type Terminal, UsageError } from './command.ts';

/** How a client under test is started, or how long it is observed. */
export interface ClientUnderTest {
  /** A shell command with placeholders; null: a person operates the client. */
  command: string | null;
  /** The time for one scenario. Null: a command has 60 seconds, and a person presses Enter. */
  seconds: number | null;
  /** Whether the exit code of the command tells if the client uses the server: 0 for yes, any other for no. */
  usesExitCode: boolean;
  /** Whether the output of the command is shown. */
  isVerbose: boolean;
}

const DEFAULT_SECONDS = 60;

/** The command cannot be run. */
export class ClientError extends Error {
  override readonly name = 'ClientError';
  readonly kind = 'failure';
}

/** @throws {UsageError} when a person must press Enter and stdin is not a terminal. */
export function createDrive(client: ClientUnderTest, terminal: Terminal, signal: AbortSignal): Drive {
  const { command, seconds } = client;
  if (command !== null) return (target) => runCommand(fillPlaceholders(command, target), client, terminal, signal);
  if (seconds !== null) return () => wait(seconds * 1_000, null, { signal });
  const { stdin, stderr } = terminal;
  if (stdin?.isTTY !== true) {
    throw new UsageError('conform --client needs a terminal on stdin, or --command, or --for');
  }
  return async () => {
    stderr.write('  Press Enter when the client is done.\n');
    // With `terminal: true`, readline would handle Ctrl-C itself.
    const lines = createInterface({ input: stdin, terminal: false });
    try {
      await Promise.race([once(lines, 'line', { signal }), once(lines, 'close', { signal })]);
    } finally {
      lines.close();
    }
    return null;
  };
}

function fillPlaceholders(command: string, { url, domain, caFile, video, scenario }: Target): string {
  const values: Record<string, string> = { url, domain, ca: caFile ?? '', video, scenario: scenario.name };
  return command.replace(/\{(url|domain|ca|video|scenario)\}/g, (_all, name: string) => values[name] ?? '');
}

/** Runs a shell command. When it exits, or when its time is over, also ends the processes that it started. */
async function runCommand(
  command: string,
  { seconds, usesExitCode, isVerbose }: ClientUnderTest,
  { cwd, stderr }: Terminal,
  signal: AbortSignal,
): Promise<boolean | null> {
  signal.throwIfAborted();
  // Its own process group, so that the whole group can be ended.
  const child = spawn(command, { cwd, shell: true, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => isVerbose && stderr.write(chunk));
  }
  const end = () => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    } catch {
      // It has ended.
    }
  };
  const limit = seconds ?? DEFAULT_SECONDS;
  const timer = setTimeout(() => {
    stderr.write(`  The command was ended after ${limit} second${limit === 1 ? '' : 's'}.\n`);
    end();
  }, limit * 1_000);
  signal.addEventListener('abort', end, { once: true });
  try {
    const [code] = (await once(child, 'exit')) as [number | null];
    signal.throwIfAborted();
    // A shell exits with these codes when it cannot run a command.
    if (code === 126 || code === 127) throw new ClientError(`the command cannot be run: ${command}`);
    return usesExitCode ? code === 0 : null;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', end);
    end();
  }
}
