import { fstatSync, writeSync } from 'node:fs';
import process from 'node:process';
import { Writable } from 'node:stream';
import { styleText } from 'node:util';
import type { Paint } from '../../model/text/terminal-text.ts';
import type { Terminal } from '../command.ts';

/**
 * The standard output. Node does not report a short write to a file on a full disk, so a file is written with `writeSync`
 * instead.
 */
export function standardOutput(): Terminal['stdout'] {
  const { fd } = process.stdout;
  if (!fstatSync(fd).isFile()) return process.stdout;
  return new Writable({
    decodeStrings: true,
    write: (chunk: Buffer, _encoding, done) => {
      try {
        for (let written = 0; written < chunk.length; ) written += writeSync(fd, chunk, written);
        done();
      } catch (error) {
        done(error as Error);
      }
    },
  });
}

/** Watches an output stream, which reports a closed pipe or a full disk as an event instead of an exception. */
export function watchOutput(stream: Writable) {
  const controller = new AbortController();
  let fault: NodeJS.ErrnoException | null = null;
  stream.on('error', (error: NodeJS.ErrnoException) => {
    fault ??= error;
    controller.abort();
  });
  return {
    /** Aborts at the first failed write. */
    failed: controller.signal,
    /** Waits until everything is written; resolves with the first write error, or null. */
    flush: async (): Promise<NodeJS.ErrnoException | null> => {
      await new Promise<void>((resolve) => stream.write('', () => resolve()));
      // The error event of a failed write follows its callback.
      await new Promise((resolve) => setImmediate(resolve));
      return fault;
    },
  };
}

/** Exit code of a process killed by SIGPIPE: 128 plus the signal number. */
const SIGPIPE_EXIT_CODE = 141;

/** Full disk, disk quota, file size limit. */
const NO_SPACE_CODES: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);

/** The exit code and the message for a write error; a closed pipe needs no message. */
export function explainWriteError(fault: NodeJS.ErrnoException): { code: number; sentence: string | null } {
  if (fault.code === 'EPIPE') return { code: SIGPIPE_EXIT_CODE, sentence: null };
  const isFull = NO_SPACE_CODES.has(fault.code ?? '');
  const why = isFull ? 'no space left; free some, or' : `${fault.message};`;
  return { code: 1, sentence: `the output could not be written: ${why} redirect it elsewhere` };
}

/** Styles text if the stream is a terminal with colours and NO_COLOR is not set. */
export function paintFor(stream: Terminal['stdout']): Paint {
  return (styles, text) => styleText([...styles], text, { stream });
}
