import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { repository } from './run-cli.ts';

/** A line of the service's log. */
export interface LogLine {
  level: number;
  time: number;
  msg: string;
  domain?: string;
  [key: string]: unknown;
}

export interface StartedService extends AsyncDisposable {
  child: ChildProcess;
  /** What it printed when it was ready. */
  told: { url: string; health: string; pid: number };
  /** The log so far, oldest first. */
  log: LogLine[];
  /** Lines of stderr that are no log. */
  words: string[];
  /** Resolves with the first line, past or future, for which this is so. */
  seen(matches: (line: LogLine) => boolean, timeoutMs?: number): Promise<LogLine>;
  /** Sends a signal and waits for the end. */
  end(signal: NodeJS.Signals): Promise<{ code: number | null; ms: number }>;
  readonly ended: Promise<number | null>;
}

/** Starts `run` in a process of its own and reads its log as it comes. */
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
  const words: string[] = [];
  const watchers = new Set<(line: LogLine) => void>();
  createInterface({ input: child.stderr }).on('line', (text) => {
    if (!text.startsWith('{')) {
      words.push(text);
      return;
    }
    const line = parsed(text);
    if (line === null) return;
    log.push(line);
    for (const watch of watchers) watch(line);
  });
  const ended = once(child, 'close').then(([code]) => code as number | null);
  const ready = Promise.withResolvers<StartedService['told']>();
  createInterface({ input: child.stdout }).once('line', (text) => ready.resolve(JSON.parse(text)));
  ended.then((code) =>
    ready.reject(new Error(`the service ended with ${code} before it was ready: ${words.join('\n')}`)),
  );
  ready.promise.catch(() => {});

  return {
    child,
    told: untilReady ? await ready.promise : { url: '', health: '', pid: child.pid ?? 0 },
    log,
    words,
    seen(matches, timeoutMs = 20_000) {
      const { promise, resolve, reject } = Promise.withResolvers<LogLine>();
      const watch = (line: LogLine) => {
        if (matches(line)) resolve(line);
      };
      const timer = setTimeout(() => {
        reject(new Error(`no such line in ${timeoutMs} ms; the last: ${JSON.stringify(log.slice(-5))} ${words}`));
      }, timeoutMs);
      for (const line of log) watch(line);
      watchers.add(watch);
      return promise.finally(() => {
        clearTimeout(timer);
        watchers.delete(watch);
      });
    },
    async end(signal) {
      const startedAt = performance.now();
      child.kill(signal);
      const code = await ended;
      return { code, ms: performance.now() - startedAt };
    },
    ended,
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

/** Null for a line that a kill cut off. */
function parsed(text: string): LogLine | null {
  try {
    return JSON.parse(text) as LogLine;
  } catch {
    return null;
  }
}
