import { fstatSync, writeSync } from 'node:fs';
import process from 'node:process';
import { Writable } from 'node:stream';
import { styleText } from 'node:util';
import type { Paint } from '../../app/check.ts';
import type { Terminal } from '../command.ts';

/**
 * The standard output. Into a file Node writes as much as fits on the disk and says nothing of the rest, so that a file is written
 * to by hand.
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

/** Where results go, watched: a reader that went away, or a disk that is full, is an event of the stream and not an exception. */
export interface Output {
  /** Aborts as soon as something could not be written. */
  readonly lost: AbortSignal;
  /** Waits until all that was written is gone; what kept it from that, or null. */
  flush(): Promise<NodeJS.ErrnoException | null>;
}

export function watchOutput(stream: Writable): Output {
  const controller = new AbortController();
  let fault: NodeJS.ErrnoException | null = null;
  stream.on('error', (error: NodeJS.ErrnoException) => {
    fault ??= error;
    controller.abort();
  });
  return {
    lost: controller.signal,
    flush: async () => {
      await new Promise<void>((resolve) => stream.write('', () => resolve()));
      // The event of a write that failed comes after its callback.
      await new Promise((resolve) => setImmediate(resolve));
      return fault;
    },
  };
}

/** What a shell reports for a program that wrote to a reader which had gone: 128 and the number of SIGPIPE. */
const readerGone = 141;

/** A full disk, a quota, a limit on the size of a file. */
const noSpace: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);

/** The exit code for output that was lost, and what to say of it: nothing to a reader that has read enough. */
export function judgeLostOutput(fault: NodeJS.ErrnoException): { code: number; sentence: string | null } {
  if (fault.code === 'EPIPE') return { code: readerGone, sentence: null };
  const isFull = noSpace.has(fault.code ?? '');
  const why = isFull ? 'there is no space left where it goes; free some, or' : `${fault.message};`;
  return { code: 1, sentence: `the output could not be written: ${why} send it elsewhere` };
}

/** Gives text its looks where the stream is a terminal that shows them, and NO_COLOR does not forbid it. */
export function paintFor(stream: Terminal['stdout']): Paint {
  return (looks, text) => styleText([...looks], text, { stream });
}
