import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { setImmediate as yieldToOthers } from 'node:timers/promises';
import { z } from 'zod';
import { ExportError } from '../export-error.ts';
import { sweepTemporaries, temporaryName } from './temporary-files.ts';

/** A file to write: `body` makes its content just before the write; `copyOf` is the path of a file to copy. */
export type FolderFile = { readonly path: string } & (
  | { readonly body: () => string | Buffer }
  | { readonly copyOf: string; readonly sha256: string }
);

export interface FolderOptions {
  readonly dir: string;
  /** Each path once, relative to `dir`, with `/` as separator. */
  readonly files: Iterable<FolderFile>;
  /** Matches what a comparison ignores, such as the time of the data: a file in which nothing else changed is not rewritten. */
  readonly ignore: RegExp;
  readonly signal: AbortSignal;
}

export interface FolderReport {
  readonly dir: string;
  readonly files: number;
  readonly bytes: number;
  /** Files written, new ones included. */
  readonly changed: number;
  /** Files of the previous run that this one did not contain. */
  readonly deleted: number;
  /** Paths at which there was a file of somebody else, which was left alone. */
  readonly skipped: readonly string[];
}

/** The folder holds files of somebody else. */
export class FolderInUseError extends Error {
  override readonly name = 'FolderInUseError';
  readonly kind = 'setting';
}

/** The list of our files in the folder, with what is needed to recognise unchanged ones. */
const LIST = '.loopscout-site.json';
const List = z.object({ files: z.record(z.string(), z.object({ digest: z.string(), bytes: z.int() })) });
type Listed = z.infer<typeof List>['files'];

/** The entry of a path that a run has not written yet; if the run is killed, the file may exist or not. */
const UNSURE = { digest: '', bytes: -1 };
/** Files written between two turns of the event loop. */
const FILES_PER_SLICE = 20;

/**
 * Makes a folder hold exactly the given files, apart from files of somebody else, which stay: writes new and changed files, each atomically,
 * leaves unchanged ones untouched, and deletes files of the previous run that are not among the given ones.
 *
 * @throws {FolderInUseError} when the folder has files but no list of ours, because all of them may be somebody else's.
 * @throws {ExportError} when a file cannot be written.
 */
export async function writeFolder({ dir, files, ignore, signal }: FolderOptions): Promise<FolderReport> {
  const target = (path: string) => pathInside(dir, path);
  attempt(dir, () => mkdirSync(dir, { recursive: true }));
  const before = attempt(dir, () => readList(dir));
  await sweepTemporaries(dir);
  const wanted = new Map([...files].map((file) => [file.path, file]));
  // First, so that a full disk does not keep the pages of a host that opted out.
  const gone = Object.keys(before).filter((path) => !wanted.has(path));
  for (const path of gone) {
    remove(dir, target(path));
    delete before[path];
  }
  // If this run is killed, the list names every file that it may have written.
  writeList(dir, {
    ...Object.fromEntries(
      [...wanted.keys()].filter((path) => isFree(target(path), before[path])).map((path) => [path, UNSURE]),
    ),
    ...before,
  });
  const after: Listed = {};
  const skipped: string[] = [];
  let changed = 0;
  let bytes = 0;
  let count = 0;
  for (const file of wanted.values()) {
    if (++count % FILES_PER_SLICE === 0) await yieldToOthers();
    signal.throwIfAborted();
    const path = target(file.path);
    const known = before[file.path];
    if (!isFree(path, known)) {
      skipped.push(file.path);
      continue;
    }
    const { content, digest } = contentOf(file, ignore);
    const size = sizeOf(path);
    const isUnchanged = known?.digest === digest && size === known.bytes;
    const entry = isUnchanged ? known : { digest, bytes: writeOne(dir, path, content) };
    if (!isUnchanged) changed += 1;
    after[file.path] = entry;
    bytes += entry.bytes;
  }
  writeList(dir, after);
  return { dir, files: Object.keys(after).length, bytes, changed, deleted: gone.length, skipped };
}

/** Deletes every file of ours; an empty list of them stays. @throws {ExportError} {FolderInUseError} */
export function emptyFolder(dir: string): void {
  for (const path of Object.keys(attempt(dir, () => readList(dir)))) remove(dir, pathInside(dir, path));
  writeList(dir, {});
}

/** The bytes of a file, or the path of the file to copy. */
function contentOf(file: FolderFile, ignore: RegExp): { content: Buffer | string; digest: string } {
  if ('copyOf' in file) return { content: file.copyOf, digest: file.sha256 };
  const content = Buffer.from(file.body() as string);
  // Latin-1 maps bytes to characters one to one, so the digest also distinguishes binary contents.
  const text = content.toString('latin1').replace(ignore, '');
  return { content, digest: createHash('sha256').update(text, 'latin1').digest('hex').slice(0, 32) };
}

/** @throws {FolderInUseError} */
function readList(dir: string): Listed {
  const names = readdirSync(dir);
  try {
    if (names.includes(LIST)) return List.parse(JSON.parse(readFileSync(join(dir, LIST), 'utf8'))).files;
  } catch (error) {
    if (!(error instanceof SyntaxError || error instanceof z.ZodError)) throw error;
  }
  if (names.every((name) => name === LIST)) return {};
  throw new FolderInUseError(
    `${dir} is not empty and holds no site of Loopscout, so nothing was written there; name an empty folder, or delete its content`,
  );
}

function writeList(dir: string, files: Listed): void {
  writeOne(dir, join(dir, LIST), Buffer.from(`${JSON.stringify({ files })}\n`));
}

/** Whether the path may be written: it is ours, or nothing is there. */
function isFree(path: string, known: Listed[string] | undefined): boolean {
  return known !== undefined || sizeOf(path) === null;
}

function sizeOf(path: string): number | null {
  const status = statSync(path, { throwIfNoEntry: false });
  return status === undefined ? null : status.size;
}

/** Returns the number of bytes. @param content bytes, or the path of a file to copy. */
function writeOne(dir: string, path: string, content: Buffer | string): number {
  // Not in a subfolder: if this run is killed, the next one sweeps only `dir` itself.
  const temporary = join(dir, temporaryName(basename(path)));
  return attempt(path, () => {
    try {
      mkdirSync(dirname(path), { recursive: true });
      if (typeof content === 'string') copyFileSync(content, temporary);
      else writeFileSync(temporary, content, { flag: 'wx' });
      renameSync(temporary, path);
    } catch (error) {
      rmSync(temporary, { force: true });
      if (typeof content === 'string' && !existsSync(content))
        throw new ExportError(content, error, 'export.dir', 'copy');
      throw error;
    }
    return statSync(path).size;
  });
}

/** Deletes a file, and the folders that are empty without it. */
function remove(dir: string, path: string): void {
  attempt(path, () => rmSync(path, { force: true }));
  for (let folder = dirname(path); relative(dir, folder) !== ''; folder = dirname(folder)) {
    try {
      rmdirSync(folder);
    } catch {
      return;
    }
  }
}

/** @throws {RangeError} for a path that leads out of the folder. */
function pathInside(dir: string, path: string): string {
  const target = resolve(dir, path);
  if (!target.startsWith(resolve(dir) + sep)) throw new RangeError(`${path} is not below ${dir}`);
  return target;
}

/** Runs a file operation and converts its error to an {@link ExportError}. */
function attempt<Result>(path: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw error instanceof FolderInUseError || error instanceof ExportError
      ? error
      : new ExportError(path, error, 'export.site');
  }
}
