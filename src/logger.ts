import { type Logger, pino } from 'pino';
import pretty from 'pino-pretty';

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
    stream.isTTY === true
      ? pretty({ destination: stream, sync: true, ignore: 'pid,hostname,name', singleLine: true })
      : stream;
  return pino({ name: 'loopscout', level, redact: { paths: SECRETS, censor: '[redacted]' } }, destination);
}
