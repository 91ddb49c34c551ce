import { constants } from 'node:fs';
import { access, mkdir, open, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { UsageError } from '../command.ts';

/** An output file of a command. Whether it can be written is tested before the work of the command starts. */
export type OutputFile = Awaited<ReturnType<typeof prepareOutput>>;

/**
 * Tests that a file can be written, without changing it; creates its folder if necessary.
 *
 * @param flag the option that names the file, for messages.
 * @throws {UsageError} with the flag, the path and the cure.
 */
export async function prepareOutput(flag: string, path: string) {
  let target: Target;
  try {
    target = await targetOf(path);
  } catch (error) {
    throw new UsageError(`${flag} cannot write ${path}: ${describeError(error)}`);
  }
  return {
    /**
     * Writes a regular file atomically. A device, a pipe, a mount point, or a file in a folder where no other file can be created is
     * written in place.
     *
     * @throws {OutputError} when that fails; no temporary file is left.
     */
    async write(text: string): Promise<void> {
      try {
        await WRITE_METHODS[target.method](target.path, text);
      } catch (error) {
        throw new OutputError(`${flag} could not write ${path}: ${describeError(error)}`);
      }
    },
  };
}

interface Target {
  path: string;
  method: keyof typeof WRITE_METHODS;
}

/** `overwrite`: no temporary file can be created in the folder; `append`: the output is a device, a pipe or an open file. */
const WRITE_METHODS = {
  replace,
  overwrite: (path: string, text: string) => writeFile(path, text),
  append: (path: string, text: string) => writeFile(path, text, { flag: 'a' }),
} as const;

/** Paths of open file descriptors. Such a path may stand for a regular file that other programs are writing to. */
const DESCRIPTOR_PATH = /^\/(?:dev\/(?:std(?:in|out|err)$|fd\/)|proc\/[^/]+\/fd\/)/;

async function targetOf(path: string): Promise<Target> {
  const existing = await statOf(path);
  if (existing?.isDirectory() === true) throw new Problem('it is a folder; name a file in it');
  if (existing !== null && (!existing.isFile() || DESCRIPTOR_PATH.test(path))) {
    await access(path, constants.W_OK);
    return { path, method: 'append' };
  }
  const target = existing === null ? path : await realpath(path);
  await makeFolder(dirname(target));
  try {
    await requireReplaceable(target);
    return { path: target, method: 'replace' };
  } catch (error) {
    if (existing === null) throw error;
    await access(target, constants.W_OK);
    return { path: target, method: 'overwrite' };
  }
}

/** Creates one folder at a time, because a recursive mkdir below /proc never ends. */
async function makeFolder(folder: string): Promise<void> {
  const existing = await statOf(folder);
  if (existing?.isDirectory() === true) return;
  if (existing !== null) throw new Problem(`${folder} is not a folder; name another`);
  if (dirname(folder) === folder) throw new Problem(`${folder} does not exist`);
  await makeFolder(dirname(folder));
  await mkdir(folder).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') throw new Problem(`${folder} cannot be created; name an existing folder`);
    if (codeOf(error) !== 'EEXIST') throw error;
  });
}

async function requireReplaceable(target: string): Promise<void> {
  const temporary = temporaryPathOf(target);
  const handle = await open(temporary, 'wx');
  await handle.close();
  await rm(temporary);
}

async function replace(target: string, text: string): Promise<void> {
  const temporary = temporaryPathOf(target);
  try {
    await writeFile(temporary, text);
    await rename(temporary, target);
  } catch (error) {
    await rm(temporary, { force: true });
    // A file that is a mount point cannot be replaced.
    if (codeOf(error) !== 'EBUSY') throw error;
    await writeFile(target, text);
  }
}

function temporaryPathOf(target: string): string {
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

/** An error whose message is written for users. */
class Problem extends Error {}

const ERROR_TEXTS: Readonly<Record<string, string>> = {
  EACCES: 'permission denied; name a folder that you can write to',
  EPERM: 'permission denied; name a folder that you can write to',
  EROFS: 'the file system is read-only; name a folder on another file system',
  ENOSPC: 'the disk is full; make room, or name a folder on another disk',
  ENOTDIR: 'a part of the path is a file, not a folder; name another',
  ENAMETOOLONG: 'the name is too long; name a shorter one',
  ELOOP: 'its symbolic links form a loop; name another',
  ENXIO: 'it cannot be opened; name a file',
  ENOENT: 'its folder does not exist; name another',
};

function describeError(error: unknown): string {
  if (error instanceof Problem) return error.message;
  return ERROR_TEXTS[codeOf(error)] ?? (error instanceof Error ? error.message : String(error));
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

/** Writing failed after the test in advance succeeded, for example because the disk is full. */
export class OutputError extends Error {
  override readonly name = 'OutputError';
  readonly kind = 'failure';
}
