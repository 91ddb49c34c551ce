import { type Logger, pino } from 'pino';
import pretty from 'pino-pretty';

export type { Logger } from 'pino';

export interface LogOptions {
  level: 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'silent';
  /** Where lines go: one JSON object a line, or words for a person on a terminal. */
  stream: NodeJS.WritableStream & { isTTY?: boolean };
}

/** What may stand in an object that is logged and is nobody's business: of requests made, of requests answered, of errors. */
const SECRETS = ['authorization', 'cookie', 'password', 'token', 'client_secret'].flatMap((name) => [
  name,
  `*.${name}`,
  `*.headers.${name}`,
]);

/** The log of the whole program. Written as it happens, so that a crash loses no line. */
export function createLogger({ level, stream }: LogOptions): Logger {
  const destination =
    stream.isTTY === true
      ? pretty({ destination: stream, sync: true, ignore: 'pid,hostname,name', singleLine: true })
      : stream;
  return pino({ name: 'loopscout', level, redact: { paths: SECRETS, censor: '[redacted]' } }, destination);
}
