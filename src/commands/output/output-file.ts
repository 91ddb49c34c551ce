import { constants } from 'node:fs';
import { access, mkdir, open, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { UsageError } from '../command.ts';

/** A file that a command is to write later; that it can be written was tried. */
export interface OutputFile {
  /**
   * Writes it. A regular file is complete or as it was; a device, a pipe, or a file in a folder that takes no other is written in place.
   *
   * @throws {OutputError} when that fails; nothing else is left behind.
   */
  write(text: string): Promise<void>;
}

/**
 * Tries whether a file can be written, making its folder if need be; what is there stays as it is.
 *
 * @param flag that names the file.
 * @throws {UsageError} with the flag, the path, and the cure.
 */
export async function prepareOutput(flag: string, path: string): Promise<OutputFile> {
  let target: Target;
  try {
    target = await targetOf(path);
  } catch (error) {
    throw new UsageError(`${flag} cannot write ${path}: ${wordsOf(error)}`);
  }
  return {
    async write(text) {
      try {
        await WAYS[target.way](target.path, text);
      } catch (error) {
        throw new OutputError(`${flag} could not write ${path}: ${wordsOf(error)}`);
      }
    },
  };
}

interface Target {
  path: string;
  way: keyof typeof WAYS;
}

/** A new file takes its place; or it is written in place, where it is the only one that may be; or what is written comes after the rest. */
const WAYS = {
  replace,
  overwrite: (path: string, text: string) => writeFile(path, text),
  append: (path: string, text: string) => writeFile(path, text, { flag: 'a' }),
} as const;

/** What this process has open: behind it may be a regular file, to which others are writing. */
const OPEN_ALREADY = /^\/(?:dev\/(?:std(?:in|out|err)$|fd\/)|proc\/[^/]+\/fd\/)/;

async function targetOf(path: string): Promise<Target> {
  const found = await statOf(path);
  if (found?.isDirectory() === true) throw new Problem('it is a folder; name a file in it');
  if (found !== null && (!found.isFile() || OPEN_ALREADY.test(path))) {
    await access(path, constants.W_OK);
    return { path, way: 'append' };
  }
  // Behind a symbolic link is the file that is meant.
  const target = found === null ? path : await realpath(path);
  await makeFolder(dirname(target));
  try {
    await replaceable(target);
    return { path: target, way: 'replace' };
  } catch (error) {
    if (found === null) throw error;
    await access(target, constants.W_OK);
    return { path: target, way: 'overwrite' };
  }
}

/** One folder after the other: made recursively, one below /proc would be tried for ever. */
async function makeFolder(folder: string): Promise<void> {
  const found = await statOf(folder);
  if (found?.isDirectory() === true) return;
  if (found !== null) throw new Problem(`${folder} is no folder; name another`);
  if (dirname(folder) === folder) throw new Problem(`there is no ${folder}`);
  await makeFolder(dirname(folder));
  await mkdir(folder).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') throw new Problem(`no folder can be made at ${folder}; name one that there is`);
    if (codeOf(error) !== 'EEXIST') throw error;
  });
}

async function replaceable(target: string): Promise<void> {
  const beside = besideOf(target);
  const handle = await open(beside, 'wx');
  await handle.close();
  await rm(beside);
}

async function replace(target: string, text: string): Promise<void> {
  const beside = besideOf(target);
  try {
    await writeFile(beside, text);
    await rename(beside, target);
  } catch (error) {
    await rm(beside, { force: true });
    // A file that is mounted by itself cannot be replaced.
    if (codeOf(error) !== 'EBUSY') throw error;
    await writeFile(target, text);
  }
}

function besideOf(target: string): string {
  return join(dirname(target), `.${basename(target).slice(0, 200)}.${process.pid}.part`);
}

async function statOf(path: string): Promise<Awaited<ReturnType<typeof stat>> | null> {
  try {
    return await stat(path);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw error;
  }
}

/** Words that are for people already. */
class Problem extends Error {}

const WORDS: Readonly<Record<string, string>> = {
  EACCES: 'you may not write there; name a folder that is yours',
  EPERM: 'you may not write there; name a folder that is yours',
  EROFS: 'the file system is read-only; name a folder on another',
  ENOSPC: 'the disk is full; make room, or name a folder on another',
  ENOTDIR: 'a part of the path is a file and no folder; name another',
  ENAMETOOLONG: 'the name is too long; name a shorter one',
  ELOOP: 'its symbolic links lead in a circle; name another',
  ENXIO: 'nobody can open it; name a file',
  ENOENT: 'its folder is gone; name one that there is',
};

function wordsOf(error: unknown): string {
  if (error instanceof Problem) return error.message;
  return WORDS[codeOf(error)] ?? (error instanceof Error ? error.message : String(error));
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

/** A file could not be written although it looked as if it could: the disk is full, or somebody took the folder away. */
export class OutputError extends Error {
  override readonly name = 'OutputError';
  readonly kind = 'failure';
}
