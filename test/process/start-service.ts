import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { repository } from './run-cli.ts';

/** A log line of the service. */
export interface LogLine {
  level: number;
  time: number;
  msg: string;
  domain?: string;
  [key: string]: unknown;
}

export interface StartedService extends AsyncDisposable {
  child: ChildProcess;
  /** What the service printed when it was ready. */
  endpoints: { url: string; health: string; pid: number };
  /** Log lines so far, oldest first. */
  log: LogLine[];
  /** Lines of stderr that are not log lines. */
  otherOutput: string[];
  /** Resolves with the first matching log line, past or future. */
  waitForLog(matches: (line: LogLine) => boolean, timeoutMs?: number): Promise<LogLine>;
  /** Sends a signal and waits for the exit. */
  end(signal: NodeJS.Signals): Promise<{ code: number | null }>;
  readonly ended: Promise<number | null>;
}

/** Starts `run` in a separate process and reads its log. */
export async function startService(
  args: readonly string[],
  { nodeArgs = [], untilReady = true }: { nodeArgs?: readonly string[]; untilReady?: boolean } = {},
): Promise<StartedService> {
  const child = spawn(
    process.execPath,
    [...nodeArgs, `${repository}src/cli.ts`, 'run', '--json', '--set', 'serve.port=0', ...args],
    {
      cwd: repository,
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  const log: LogLine[] = [];
  const otherOutput: string[] = [];
  const watchers = new Set<(line: LogLine) => void>();
  createInterface({ input: child.stderr }).on('line', (text) => {
    if (!text.startsWith('{')) {
      otherOutput.push(text);
      return;
    }
    const line = parseLine(text);
    if (line === null) return;
    log.push(line);
    for (const watch of watchers) watch(line);
  });
  const ended = once(child, 'close').then(([code]) => code as number | null);
  const ready = Promise.withResolvers<StartedService['endpoints']>();
  createInterface({ input: child.stdout }).once('line', (text) => ready.resolve(JSON.parse(text)));
  ended.then((code) =>
    ready.reject(new Error(`the service exited with ${code} before it was ready: ${otherOutput.join('\n')}`)),
  );
  ready.promise.catch(() => {});

  return {
    child,
    endpoints: untilReady ? await ready.promise : { url: '', health: '', pid: child.pid ?? 0 },
    log,
    otherOutput,
    waitForLog(matches, timeoutMs = 60_000) {
      const { promise, resolve, reject } = Promise.withResolvers<LogLine>();
      const watch = (line: LogLine) => {
        if (matches(line)) resolve(line);
      };
      const timer = setTimeout(() => {
        reject(new Error(`no such line in ${timeoutMs} ms; the last: ${JSON.stringify(log.slice(-5))} ${otherOutput}`));
      }, timeoutMs);
      for (const line of log) watch(line);
      watchers.add(watch);
      return promise.finally(() => {
        clearTimeout(timer);
        watchers.delete(watch);
      });
    },
    async end(signal) {
      child.kill(signal);
      return { code: await ended };
    },
    ended,
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

/** Null for a line cut off by a kill. */
function parseLine(text: string): LogLine | null {
  try {
    return JSON.parse(text) as LogLine;
  } catch {
    return null;
  }
}
