import { setImmediate } from 'node:timers/promises';
import type { Domain } from '../model/domain/domain.ts';
import type { Settings } from '../settings/schema.ts';
import { optOutLines } from '../sources/opt-out-lines.ts';
import { NoRegularFileError, readLines, statRegularFile } from '../sources/regular-file.ts';
import type { SourceRefusal } from '../sources/source.ts';
import type { Store } from '../store/store.ts';
import type { RunInBackground } from './tasks/tasks.ts';

/** Domains looked up before the event loop goes on. */
const CHUNK = 5_000;

/** What applying the opt-out file came to. The domains themselves are told to nobody. */
export interface OptOutReport {
  /** Domains that the file names. */
  readonly listed: number;
  /** Of these, opted out just now. */
  readonly forgotten: number;
  /** Lines that are not one plain domain, and how many were taken from each: all that can be read as one. */
  readonly untidy: readonly { readonly line: number; readonly taken: number }[];
  /** Lines that name no domain, or go on where nothing is read any more: whoever is meant there is visited as before. */
  readonly refused: readonly { readonly line: number; readonly reason: SourceRefusal }[];
}

/** The opt-out file cannot be read: nobody is visited, since it is not known who must not be. */
export class OptOutError extends Error {
  override readonly name = 'OptOutError';
  readonly kind = 'setting';
}

export interface OptOutParts {
  settings: () => Pick<Settings, 'optOut' | 'domains' | 'database'>;
  store: Pick<Store, 'optedOut' | 'isRedactionDue'>;
  background: RunInBackground;
  /** Milliseconds since the epoch. */
  now: () => number;
}

/**
 * Makes the function that opts out every domain of the opt-out file and purges it, and finishes a purge that was interrupted.
 * It answers null when there is no such file, or it has not changed since it was last applied.
 *
 * @throws {OptOutError}
 */
export function createOptOuts(parts: OptOutParts): (signal: AbortSignal) => Promise<OptOutReport | null> {
  const { settings, store, background, now } = parts;
  let applied: string | null = null;
  return async (signal) => {
    const { optOut, domains, database } = settings();
    const { file } = optOut;
    const forget = (some: readonly Domain[]) => background('forget', { database, domains: some, at: now() }, signal);
    if (store.isRedactionDue()) await forget([]);
    if (file === null) return null;
    const { state, listed, untidy, refused } = await read(file, { domains, unless: applied, signal });
    if (state === applied) return null;
    const forgotten: Domain[] = [];
    for (const [index, domain] of listed.entries()) {
      if (index % CHUNK === 0) await setImmediate();
      if (!store.optedOut.has(domain)) forgotten.push(domain);
    }
    if (forgotten.length > 0) await forget(forgotten);
    applied = state;
    return { listed: listed.length, forgotten: forgotten.length, untidy, refused };
  };
}

interface Reading {
  domains: Settings['domains'];
  /** The file is not read when it is still this. */
  unless: string | null;
  signal: AbortSignal;
}

async function read(file: string, { domains, unless, signal }: Reading) {
  const listed = new Set<Domain>();
  const untidy: { line: number; taken: number }[] = [];
  const refused: { line: number; reason: SourceRefusal }[] = [];
  try {
    const { size, mtimeMs, ino } = await statRegularFile(file);
    const state = `${file} ${size} ${mtimeMs} ${ino}`;
    if (state === unless) return { state, listed: [], untidy, refused };
    for await (const { line, domains: named, isPlain, refused: reason } of optOutLines(
      readLines(file, signal),
      domains,
    )) {
      for (const domain of named) listed.add(domain);
      if (!isPlain && named.length > 0) untidy.push({ line, taken: named.length });
      if (reason !== null) refused.push({ line, reason });
    }
    return { state, listed: [...listed], untidy, refused };
  } catch (error) {
    if (signal.aborted || !(error instanceof Error)) throw error;
    const code = 'code' in error ? String(error.code) : error.message;
    const [why, cure] =
      error instanceof NoRegularFileError
        ? [`it is ${error.kind}`, 'name a regular file in optOut.file']
        : [code, 'correct optOut.file, or have this user read it'];
    throw new OptOutError(
      `The opt-out file ${file} cannot be read (${why}); ${cure}: nobody is visited as long as it is not known who must not be.`,
      { cause: error },
    );
  }
}
