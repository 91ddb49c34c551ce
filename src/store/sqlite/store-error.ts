/** What is wrong with the database. */
export type StoreErrorCode =
  | 'folder-unusable'
  | 'not-a-file'
  | 'not-a-database'
  | 'foreign-database'
  | 'newer-database'
  | 'older-database'
  | 'missing'
  | 'moved'
  | 'unreadable'
  | 'read-only'
  | 'disk-full'
  /** By another connection, for longer than the busy time-out; the same call can be made again. */
  | 'locked'
  | 'corrupt'
  | 'failed';

/** The codes that mean that the `database` setting names something unusable; the others are failures while working. */
const settingCodes: ReadonlySet<StoreErrorCode> = new Set([
  'folder-unusable',
  'not-a-file',
  'not-a-database',
  'foreign-database',
  'newer-database',
  'older-database',
  'missing',
  'unreadable',
  'read-only',
]);

/** The database cannot be used; the message is one sentence that names its path, what is wrong and the cure. */
export class StoreError extends Error {
  override readonly name = 'StoreError';
  readonly code: StoreErrorCode;
  readonly path: string;
  /** `setting`: the `database` setting names something unusable; `failure`: it broke while working. */
  readonly kind: 'setting' | 'failure';

  /** `problem` completes "The database PATH ...". */
  constructor(code: StoreErrorCode, path: string, problem: string, options?: ErrorOptions) {
    super(`The database ${path} ${problem}.`, options);
    this.code = code;
    this.path = path;
    this.kind = settingCodes.has(code) ? 'setting' : 'failure';
  }
}
