import { PassThrough } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import { createLogger } from '../src/logger.ts';

function createTestLogger(isTTY: boolean): { logger: ReturnType<typeof createLogger>; text: () => string } {
  const stream = Object.assign(new PassThrough(), { isTTY });
  return {
    logger: createLogger({ level: 'info', stream }),
    text: () => stripVTControlCharacters(String(stream.read())),
  };
}

test('a terminal gets readable lines: time, level, message and object, without secrets', () => {
  const { logger, text } = createTestLogger(true);
  logger.warn({ domain: 'a.example', headers: { cookie: 'secret' } }, 'Visited.');
  expect(text()).toMatch(
    /^\[\d\d:\d\d:\d\d\.\d{3}\] WARN: Visited\. \{"domain":"a\.example","headers":\{"cookie":"\[redacted\]"\}\}\n$/,
  );
});

test('a terminal gets the stack of an error and of its cause', () => {
  const { logger, text } = createTestLogger(true);
  logger.error({ err: new Error('outer', { cause: new Error('inner') }), url: '/x' }, 'Failed.');
  const [first, second, ...rest] = text().split('\n');
  expect(first).toMatch(/ERROR: Failed\. \{"url":"\/x"\}$/);
  expect(second).toBe('    Error: outer');
  expect(rest.filter((line) => line.includes('caused by: Error: inner'))).toHaveLength(1);
});

test('a stream that is not a terminal gets one JSON object per line, and no message below the level', () => {
  const { logger, text } = createTestLogger(false);
  logger.debug('Not logged at this level.');
  logger.info({ domain: 'a.example' }, 'Visited.');
  logger.warn('Offline.');
  const lines = text().trimEnd().split('\n');
  // In pino, 30 is info and 40 is warn.
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { level: 30, msg: 'Visited.', domain: 'a.example', name: 'loopscout' },
    { level: 40, msg: 'Offline.' },
  ]);
});
