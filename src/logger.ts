import { styleText } from 'node:util';
import { type Logger, pino } from 'pino';

export type { Logger } from 'pino';

export interface LogOptions {
  level: 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'silent';
  /** One JSON object per line; formatted text on a terminal. */
  stream: NodeJS.WritableStream & { isTTY?: boolean };
}

/** Keys that are redacted in logged objects, headers included. */
const SECRETS = ['authorization', 'cookie', 'password', 'token', 'client_secret'].flatMap((name) => [
  name,
  `*.${name}`,
  `*.headers.${name}`,
]);

/** Creates the logger. It writes synchronously, so that a crash loses no line. */
export function createLogger({ level, stream }: LogOptions): Logger {
  const destination =
    stream.isTTY === true ? { write: (line: string) => void stream.write(terminalText(line, stream)) } : stream;
  return pino({ name: 'loopscout', level, redact: { paths: SECRETS, censor: '[redacted]' } }, destination);
}

const COLORS = { trace: 'gray', debug: 'blue', info: 'green', warn: 'yellow', error: 'red', fatal: 'bgRed' } as const;

/** A logged line for a person: `[11:02:28.372] INFO: message {"key":1}`; the stack of an error follows, indented. */
function terminalText(line: string, stream: NodeJS.WritableStream): string {
  const { level, time, msg = '', pid: _pid, hostname: _hostname, name: _name, err, ...rest } = JSON.parse(line);
  const label = pino.levels.labels[level] as keyof typeof COLORS;
  const paint = (color: Parameters<typeof styleText>[0], text: string) => styleText(color, text, { stream });
  const parts = [
    `[${new Date(time).toTimeString().slice(0, 8)}.${String(time % 1_000).padStart(3, '0')}]`,
    `${paint(COLORS[label], label.toUpperCase())}:`,
    ...(msg === '' ? [] : [paint('cyan', msg)]),
    ...(Object.keys(rest).length === 0 ? [] : [paint('gray', JSON.stringify(rest))]),
  ];
  const stack = err?.stack ?? err?.message;
  return `${parts.join(' ')}\n${stack === undefined ? '' : `    ${String(stack).replaceAll('\n', '\n    ')}\n`}`;
}
