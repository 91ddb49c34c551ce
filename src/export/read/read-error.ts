/**
 * - `no-address`: what was given names nothing that can be read.
 * - `unreachable`: no such file, or no answer.
 * - `timed-out`: the whole did not come in time.
 * - `status`: an answer with another status than 200 or 304.
 * - `too-large`: more bytes than `maxBytes`, counted after decompression.
 * - `not-json`: what came is no JSON.
 * - `other-schema`: the file is of another `schemaVersion`.
 * - `not-instances`: it is JSON, but no `instances.json`.
 */
export type ReadFault =
  | 'no-address'
  | 'unreachable'
  | 'timed-out'
  | 'status'
  | 'too-large'
  | 'not-json'
  | 'other-schema'
  | 'not-instances';

/** An export that could not be read. The message is one sentence: what, what is wrong with it, and the cure if there is one. */
export class ReadError extends Error {
  override readonly name = 'ReadError';
  readonly fault: ReadFault;
  /** The path or address, without a name and password. */
  readonly source: string;
  /** The HTTP status where that is what is wrong, else null. */
  readonly status: number | null;

  constructor(
    source: string,
    fault: ReadFault,
    why: string,
    { status, cause }: { status?: number; cause?: unknown } = {},
  ) {
    super(`cannot read ${source}: ${why}`, { cause });
    this.fault = fault;
    this.source = source;
    this.status = status ?? null;
  }
}
