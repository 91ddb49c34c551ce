import type { Domain } from '../model/domain/domain.ts';
import type { EpochMs } from '../model/time.ts';
import type { Settings } from '../settings/schema.ts';
import { optOutLines } from '../sources/opt-out-lines.ts';
import { NoRegularFileError, readLines, statRegularFile } from '../sources/regular-file.ts';
import type { SourceRefusal } from '../sources/source.ts';
import type { Store } from '../store/store.ts';
import type { RunTask } from './tasks/tasks.ts';

/** The result of applying the opt-out file: counts and line numbers, never domains. */
export interface OptOutReport {
  /** Domains in the file. */
  readonly listed: number;
  /** Domains in the file that were not opted out before. */
  readonly forgotten: number;
  /** Lines that do not clearly name hosts; nobody is opted out by them. */
  readonly refused: readonly { readonly line: number; readonly reason: SourceRefusal }[];
}

/** The opt-out file cannot be read. No visit may begin until it can. */
export class OptOutError extends Error {
  override readonly name = 'OptOutError';
  readonly kind = 'setting';
}

interface OptOutFileParts {
  settings: () => Pick<Settings, 'optOut' | 'domains' | 'database'>;
  store: Pick<Store, 'optOuts'>;
  background: RunTask;
  now: () => EpochMs;
}

/** The file of the setting `optOut.file`. */
export class OptOutFile {
  readonly #parts: OptOutFileParts;
  /** The state of the file when it was last applied. */
  #applied: string | null = null;

  constructor(parts: OptOutFileParts) {
    this.#parts = parts;
  }

  /**
   * Opts out and purges every domain of the file; null when no file is configured, or it has not changed since it was last applied.
   *
   * @throws {OptOutError} when the file cannot be read.
   */
  async apply(signal: AbortSignal): Promise<OptOutReport | null> {
    const { settings, store, background, now } = this.#parts;
    const { optOut, domains, database } = settings();
    if (optOut.file === null) return null;
    const { state, listed, refused } = await readOptOutFile(optOut.file, {
      domains,
      knownState: this.#applied,
      signal,
    });
    if (state === this.#applied) return null;
    const forgotten = listed.filter((domain) => !store.optOuts.has(domain));
    if (forgotten.length > 0) await background('forget', { database, domains: forgotten, at: now() }, signal);
    this.#applied = state;
    return { listed: listed.length, forgotten: forgotten.length, refused };
  }
}

interface ReadOptions {
  domains: Settings['domains'];
  /** The file is not read again while its state equals this. */
  knownState: string | null;
  signal: AbortSignal;
}

/** @throws {OptOutError} */
export async function readOptOutFile(file: string, { domains, knownState, signal }: ReadOptions) {
  const listed = new Set<Domain>();
  const refused: { line: number; reason: SourceRefusal }[] = [];
  try {
    const { size, mtimeMs, ino } = await statRegularFile(file);
    const state = `${file} ${size} ${mtimeMs} ${ino}`;
    if (state === knownState) return { state, listed: [], refused };
    for await (const { line, domains: named, refused: reason } of optOutLines(readLines(file, signal), domains)) {
      for (const domain of named) listed.add(domain);
      if (reason !== null) refused.push({ line, reason });
    }
    return { state, listed: [...listed], refused };
  } catch (error) {
    if (signal.aborted || !(error instanceof Error)) throw error;
    const code = 'code' in error ? String(error.code) : error.message;
    const [why, cure] =
      error instanceof NoRegularFileError
        ? [`it is ${error.kind}`, 'name a regular file in optOut.file']
        : [code, 'correct optOut.file, or make the file readable to this user'];
    throw new OptOutError(
      `The opt-out file ${file} cannot be read (${why}); ${cure}. No host is visited until it can be read.`,
      { cause: error },
    );
  }
}
