interface Explanation {
  kind: 'setting' | 'failure';
  cause: string;
  cure: string;
}

const outOfSpace = (cause: string): Explanation => ({
  kind: 'failure',
  cause,
  cure: 'free some space there or set export.dir to a folder with more room',
});

const unusable = (cause: string, cure: string): Explanation => ({ kind: 'setting', cause, cure });

/** Cause and cure per error code of the file system. */
const EXPLANATIONS: Readonly<Record<string, Explanation>> = {
  ENOSPC: outOfSpace('the disk is full'),
  EDQUOT: outOfSpace('the disk quota is used up'),
  EFBIG: outOfSpace('it exceeds the largest file size allowed'),
  EIO: { kind: 'failure', cause: 'the disk reports an input/output error', cure: 'check the disk and export again' },
  EMFILE: { kind: 'failure', cause: 'too many files are open', cure: 'raise the limit on open files and export again' },
  ENFILE: { kind: 'failure', cause: 'too many files are open', cure: 'raise the limit on open files and export again' },
  EACCES: unusable('permission is denied', 'allow this user to write there or set export.dir to another folder'),
  EPERM: unusable('it is not permitted', 'allow this user to write there or set export.dir to another folder'),
  EROFS: unusable('the file system is read-only', 'set export.dir to a folder on a writable one'),
  ENOENT: unusable('the folder cannot be created there', 'set export.dir to a folder that can be created'),
  ENOTDIR: unusable('a part of the path is not a folder', 'set export.dir to a folder'),
  EEXIST: unusable('a file exists where a folder is needed', 'move that file away or set export.dir to a folder'),
  EISDIR: unusable('a folder exists in its place', 'move that folder away or set export.dir to another folder'),
  ELOOP: unusable('the path is a loop of symbolic links', 'set export.dir to a folder'),
  ENAMETOOLONG: unusable('the path is too long', 'set export.dir to a shorter path'),
};

/** The explanation of a published file that is gone before it is copied into the static site. */
const GONE: Explanation = {
  kind: 'failure',
  cause: 'the file was deleted while the site was written',
  cure: 'find out what empties the folder that export.dir names and export again',
};

/**
 * A failed export. The message is one sentence: file, cause and cure. No published file is half-written and no temporary file is left.
 */
export class ExportError extends Error {
  override readonly name = 'ExportError';
  /** `setting`: the folder is unusable; `failure`: an error during the export. */
  readonly kind: 'setting' | 'failure';
  /** The path that could not be written or copied. */
  readonly file: string;
  /** The error code of the operating system, or `UNKNOWN`. */
  readonly code: string;
  /** The setting or option that names the folder. */
  readonly namedBy: 'export.dir' | 'export.site' | '--dir' | '--site';

  /**
   * @param namedBy the setting or option that names the folder of the files.
   * @param action what was done with the file: a file is copied into the static site after it was published.
   */
  constructor(
    file: string,
    cause: unknown,
    namedBy: ExportError['namedBy'] = 'export.dir',
    action: 'write' | 'copy' = 'write',
  ) {
    const code = codeOf(cause);
    const known = action === 'copy' && code === 'ENOENT' ? GONE : EXPLANATIONS[code];
    const explanation = known ?? {
      kind: 'failure',
      cause: cause instanceof Error ? cause.message : String(cause),
      cure: 'check the folder that export.dir names and export again',
    };
    super(
      `cannot ${action} ${file}: ${explanation.cause} (${code}); ${explanation.cure.replace('export.dir', namedBy)}`,
      {
        cause,
      },
    );
    this.kind = explanation.kind;
    this.file = file;
    this.namedBy = namedBy;
    this.code = code;
  }

  /** The same error for a folder given by an option. */
  ofOption(option: '--dir' | '--site'): ExportError {
    return new ExportError(this.file, this.cause, option);
  }
}

/** Whether an export failed because the disk or the quota has no space left. */
export function isOutOfSpace(error: unknown): boolean {
  return error instanceof ExportError && (error.code === 'ENOSPC' || error.code === 'EDQUOT');
}

function codeOf(error: unknown): string {
  if (error instanceof Error && 'code' in error && typeof error.code === 'string') return error.code;
  return 'UNKNOWN';
}

/** Runs a file operation and converts its error to an {@link ExportError} that names the published file. */
export async function withExportErrors<T>(file: string, operation: () => Promise<T>): Promise<T> {
  try {
    return await operation();
  } catch (error) {
    throw error instanceof ExportError ? error : new ExportError(file, error);
  }
}
