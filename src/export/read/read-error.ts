/**
 * - `no-address`: a URL that is not supported, or contains a name or password.
 * - `unreachable`: the file cannot be read, or no complete response came.
 * - `timed-out`: the response was not complete in time.
 * - `status`: a status other than 200, or than 304 to a conditional request.
 * - `too-large`: more bytes than `maxBytes`, counted after decompression.
 * - `not-json`: the content is not JSON, or its gzip data is damaged.
 * - `other-schema`: the file has another `schemaVersion`.
 * - `not-instances`: JSON, but not an `instances.json`.
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

/** A failed read of an export. The message is one sentence: source, problem, and the cure if there is one. */
export class ReadError extends Error {
  override readonly name = 'ReadError';
  readonly fault: ReadFault;
  /** The path or URL, without a name and password. */
  readonly source: string;
  /** The HTTP status for `status`, else null. */
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
