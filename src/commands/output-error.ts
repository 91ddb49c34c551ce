/** A file could not be written although it looked as if it could: the disk is full, or somebody took the folder away. */
export class OutputError extends Error {
  override readonly name = 'OutputError';
  readonly kind = 'failure';
}
