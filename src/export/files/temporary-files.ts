import { randomBytes } from 'node:crypto';
import { lstat, open, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { withExportErrors } from '../export-error.ts';

/** The file system calls of an export; replaceable to test a full disk. */
export interface FileSystem {
  readonly open: typeof open;
  readonly rename: typeof rename;
}

export const fileSystem: FileSystem = { open, rename };

/** Some file systems cannot sync a folder; this is not an error. */
const UNSUPPORTED = new Set(['EINVAL', 'ENOTSUP', 'EOPNOTSUPP', 'EISDIR', 'EPERM', 'EACCES']);

/** Makes renames within a folder survive a power loss. */
export async function syncFolder(folder: string, fs: FileSystem): Promise<void> {
  await withExportErrors(folder, async () => {
    try {
      await using handle = await fs.open(folder, 'r');
      await handle.sync();
    } catch (error) {
      if (error instanceof Error && 'code' in error && UNSUPPORTED.has(String(error.code))) return;
      throw error;
    }
  });
}

const PATTERN = /^\.[\w.-]+\.(\d{1,10})-[0-9a-f]{16}\.tmp$/;

/** Name of a temporary file: `.NAME.PID-RANDOM.tmp`, hidden and unique. */
export function temporaryName(name: string): string {
  return `.${name}.${process.pid}-${randomBytes(8).toString('hex')}.tmp`;
}

/** The process id in the name of a temporary file; null for other names. */
function processOfTemporary(name: string): number | null {
  const match = PATTERN.exec(name);
  return match === null ? null : Number(match[1]);
}

/**
 * Removes temporary files whose process is gone. A file that cannot be removed is left for the next sweep.
 */
export async function sweepTemporaries(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const pid = processOfTemporary(name);
    if (pid === null) continue;
    const path = join(folder, name);
    try {
      const status = await lstat(path);
      if (status.isFile() && isOrphan(pid, status.mtimeMs)) await rm(path);
    } catch {
      // Another export has published or removed it, or permission is missing.
    }
  }
}

/**
 * In a container every run may have the same process id: a file with this id that is older than this process belongs to an earlier run.
 */
function isOrphan(pid: number, modifiedMs: number): boolean {
  if (pid === process.pid) return modifiedMs < performance.timeOrigin;
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ESRCH';
  }
}
